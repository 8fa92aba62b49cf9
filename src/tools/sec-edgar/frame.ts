import type { CallContext } from "../../domain/ports/sources.ts";
import type { ToolResult } from "../../domain/tool.ts";
import { readItems } from "../services/read-answer.ts";
import type { ServiceClient } from "../services/service-client.ts";
import { rowText } from "../services/text.ts";
import { frameUrl } from "./addresses.ts";
import type { Arguments } from "./arguments.ts";
import { readConcepts, type WantedConcept } from "./concepts.ts";
import { nullIfMissing } from "./null-if-missing.ts";
import { type FramePoint, FramePointSchema, FrameSchema } from "./schema.ts";
import { printNumber } from "./wording.ts";

/** A frame has thousands of companies. */
const MAX_ROWS = 20;
const SNIPPET_ROWS = 4;
/** A figure has several tags; each is a request. */
const MAX_TAGS = 3;

/** One figure of all companies for one calendar period: the largest values, and the company asked for where one is. */
export async function lookUpFrame(args: Arguments, cik: number | null, client: ServiceClient, context: CallContext): Promise<ToolResult> {
  const [concept] = readConcepts(args.concepts ?? []);
  if (concept === undefined || concept.tags.length === 0)
    return { text: `${args.concepts?.[0]}: no known figure; ask for it by its XBRL tag, such as us-gaap:Assets.`, sources: [] };
  const period = periodOf(args, concept);
  for (const tag of concept.tags.slice(0, MAX_TAGS)) {
    const url = frameUrl(tag, unitOf(tag), period);
    const frame = await nullIfMissing(client.json(FrameSchema, url, context));
    if (frame === null) continue;
    const points = readItems("sec_edgar", FramePointSchema, frame.data).toSorted((a, b) => b.val - a.val);
    const shown = points.filter((point, i) => i < MAX_ROWS || point.cik === cik);
    const rows = shown.map((point) => pointRow(point, points.indexOf(point) + 1, frame, concept));
    const title = `${concept.name} of ${printNumber(points.length)} companies in ${period} (${frame.taxonomy}:${frame.tag})`;
    const source = {
      title,
      url,
      publishedAt: null,
      snippet: rows.slice(0, SNIPPET_ROWS).join("\n"),
      kind: "filing" as const,
      ...rowText(rows),
    };
    return { text: `${title}, the largest first:\n${source.text}`, sources: rows.length === 0 ? [] : [source] };
  }
  return {
    text: `No company has reported ${concept.name} for ${period}; balance sheet figures have periods such as CY2023Q4I.`,
    sources: [],
  };
}

function periodOf({ period, years }: Arguments, { instant }: WantedConcept): string {
  const year = years === undefined ? new Date().getUTCFullYear() - 1 : Math.max(...years);
  return period ?? (instant === true ? `CY${year}Q4I` : `CY${year}`);
}

function unitOf(tag: string): string {
  if (/PerShare|PerDiluted/.test(tag)) return "USD/shares";
  return /SharesOutstanding|NumberOf\w*Shares/.test(tag) ? "shares" : "USD";
}

function pointRow(
  { accn, cik, entityName, start, end, val }: FramePoint,
  place: number,
  { taxonomy, tag, ccp, uom, label }: { taxonomy: string; tag: string; ccp: string; uom: string; label?: string | null | undefined },
  { name }: WantedConcept,
): string {
  const what = name.includes(":") ? (label ?? tag) : name;
  const value = `${printNumber(val)} ${uom.replace("-per-shares", " per share")}`;
  const origin = `${taxonomy}:${tag}, ${ccp}, accession ${accn}`;
  return `${entityName} (CIK ${cik}), number ${place} by ${what} in ${ccp} (${[start, end].filter((date) => date).join(" to ")}): ${value} (${origin})`;
}

import { z } from "zod";
import { SumsSchema } from "../../domain/bundle.ts";
import { TokenUsageSchema } from "../../domain/chat.ts";
import { coverageOf } from "../../domain/citations.ts";
import { EVENT_TYPES } from "../../domain/events.ts";
import { canonicalJson, hashJson } from "../../domain/json.ts";
import type { Usage } from "../../domain/run.ts";
import { originsOf, sampleWords } from "../../ranking/text-copies.ts";
import { checkBlocks } from "./check-blocks.ts";
import { checkCitations, checkClaims, checkClosest, checkDocuments, checkSources } from "./check-report.ts";
import { checkFigures } from "./check-support.ts";
import { renderAgain } from "./export-bundle.ts";
import { ITEM_NAMES, type ReadBundle, readBundle, valuesOf } from "./read-bundle.ts";

const LISTS = ["claims", "citations", "closest", "sources", "ledger", "blocks", "struck", "missing"] as const;
const OPTIONAL_VALUES = ["answers", "cutOff"] as const;

function checkSums({ raw }: ReadBundle): string[] {
  const { digest, ...rest } = raw;
  const whole = hashJson(rest) === digest ? [] : ["digest: the bundle as a whole does not match it"];
  const read = SumsSchema.safeParse(raw["sums"]);
  if (!read.success) return [malformed(read.error.issues[0]), ...whole];
  const { documents, events, program, rendered, run, report } = read.data;
  return [
    ...checkValue("program", raw["program"], program),
    ...checkValue("run", raw["run"], run),
    ...checkValue("rendered", raw["rendered"], rendered),
    ...(["coverage", "markdown"] as const).flatMap((name) => checkValue(name, raw.report[name], report[name])),
    ...OPTIONAL_VALUES.flatMap((name) => checkValue(name, raw.report[name] ?? null, report[name])),
    ...LISTS.flatMap((name) => checkItems(name, raw.report, report[name])),
    ...checkItems("documents", raw, documents),
    ...checkItems("events", raw, events),
    ...whole,
  ];
}

function malformed(issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined): string {
  const path = issue?.path.map(String).join(".") ?? "";
  return ["sums", ...(path === "" ? [] : [path]), issue?.message].join(": ");
}

function checkValue(name: string, value: unknown, sum: string): string[] {
  return value !== undefined && hashJson(value) === sum ? [] : [`${name}: it was changed, as its sum tells`];
}

/** Compares the hash of each item with the one at its place. If the number of items differs, any place of the hash counts. */
function checkItems(name: keyof typeof ITEM_NAMES, holder: Readonly<Record<string, unknown>>, sums: readonly string[]): string[] {
  const found = ((holder[name] ?? []) as unknown[]).map(hashJson);
  const inPlace = found.length === sums.length;
  const faults = found.flatMap((sum, index) => {
    const known = inPlace ? sums[index] === sum : sums.includes(sum);
    return known ? [] : [`${ITEM_NAMES[name]} ${index + 1}: it was changed, as its sum tells`];
  });
  return inPlace ? faults : [`${name}: the sums tell of ${sums.length}, there are ${found.length}`, ...faults];
}

export interface BundleCheck {
  readonly faults: readonly string[];
  /** Faults by rules of this version. Another version made the bundle and may not have had these rules. */
  readonly doubts: readonly string[];
  readonly claims: number;
  readonly citations: number;
  readonly closest: number;
  readonly documents: number;
  readonly digest: string;
  readonly renderedAgain: boolean;
}

const MAX_LINE = 400;

/**
 * @param program this program, such as `dossier 1.0.0`; some checks apply only to bundles that it made
 * @throws DossierError `bundle_invalid` if the bytes are no bundle
 */
export function verifyBundle(bytes: Uint8Array, program: string): BundleCheck {
  const bundle = readBundle(bytes);
  const isOwn = bundle.program === program;
  const { texts, faults: ofDocuments } = checkDocuments(bundle);
  const { holding, faults: ofCitations } = checkCitations(bundle, texts);
  const ofFigures = checkFigures(bundle);
  const renderedAgain = isOwn && bundle.rendered != null;
  const faults = [
    ...bundle.faults,
    ...ofDocuments,
    ...ofCitations,
    ...checkClosest(bundle, texts),
    ...checkClaims(bundle, holding),
    ...checkBlocks(bundle),
    ...(isOwn ? ofFigures : []),
    ...checkOrigins(bundle, isOwn),
    ...checkSources(bundle),
    ...(renderedAgain ? checkMarkdown(bundle) : []),
    ...checkLog(bundle, isOwn),
    ...checkUsage(bundle, isOwn),
    ...checkSums(bundle),
  ];
  return {
    faults: faults.map(oneLine),
    doubts: isOwn ? [] : ofFigures.map(oneLine),
    claims: bundle.claims.length,
    citations: bundle.citations.length,
    closest: bundle.closest.length,
    documents: bundle.documents.filter(({ value }) => value.text !== null).length,
    digest: oneLine(String(bundle.raw["digest"])),
    renderedAgain,
  };
}

/** Renders the Markdown again and compares it. Skips a bundle with malformed parts, which are reported already. */
function checkMarkdown(bundle: ReadBundle): string[] {
  const { faults, run, rendered, coverage, markdown, said } = bundle;
  if (faults.length > 0 || !run || !rendered || !coverage || markdown === null || said === null) return [];
  const content = {
    ...said,
    blocks: valuesOf(bundle.blocks),
    struck: valuesOf(bundle.struck),
    claims: valuesOf(bundle.claims),
    citations: valuesOf(bundle.citations),
    closest: valuesOf(bundle.closest),
    sources: valuesOf(bundle.sources),
    ledger: valuesOf(bundle.ledger),
  };
  const counted = coverageOf(content.claims, coverage.removed);
  const again = renderAgain(run, { markdown, coverage: counted, ...content }, rendered);
  if (again === markdown) return [];
  const before = again.split("\n");
  const line = markdown.split("\n").findIndex((text, index) => text !== before[index]);
  return [`markdown: it is not what the report's content renders to, from line ${(line < 0 ? before.length : line) + 1} on`];
}

function oneLine(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "�");
  return plain.length > MAX_LINE ? `${plain.slice(0, MAX_LINE).toWellFormed()}…` : plain;
}

const TYPES: ReadonlySet<string> = new Set(EVENT_TYPES);
const SourceFoundSchema = z.object({ type: z.literal("source-found"), source: z.object({ id: z.string(), url: z.string() }) });
const ReportShownSchema = z.object({ type: z.literal("content"), callId: z.literal("report"), path: z.literal(""), delta: z.string() });

/** Checks that the log has no gap, belongs to this run and ends as the run did. `isOwn`: also checks event types, sources and report. */
function checkLog(bundle: ReadBundle, isOwn: boolean): string[] {
  const { events, run } = bundle;
  const faults = events.flatMap(({ name, value }, index) => [
    ...(value.seq === index + 1 ? [] : [`${name}: its seq is ${value.seq}, and the log counts from 1 without a gap`]),
    ...(isOwn && !TYPES.has(value.type) ? [`${name}: there are no events of the type ${value.type}`] : []),
    ...(run === null || value.runId === run.id ? [] : [`${name}: it is of the run ${value.runId}`]),
  ]);
  return [...faults, ...checkEnd(bundle), ...(isOwn ? [...checkFound(bundle), ...checkShown(bundle)] : [])];
}

function checkEnd({ events, run }: ReadBundle): string[] {
  const last = events.at(-1)?.value;
  if (last === undefined) return ["events: the log is empty"];
  if (run === null) return [];
  const stated = canonicalJson([last.type, last["status"] ?? null, last["termination"] ?? null]);
  if (stated === canonicalJson(["run-ended", run.status, run.termination])) return [];
  return ["events: the log does not end as the run is said to have ended"];
}

function checkFound({ events, sources }: ReadBundle): string[] {
  const urls = new Map<string, string>();
  for (const { value } of events) {
    const found = SourceFoundSchema.safeParse(value);
    if (found.success) urls.set(found.data.source.id, found.data.source.url);
  }
  return sources.flatMap(({ name, value: { id, url } }) => {
    const found = urls.get(id);
    if (found === undefined) return [`${name}: the log does not tell that ${id} was found`];
    return found === url ? [] : [`${name}: its address is not the one at which the log tells that ${id} was found`];
  });
}

/** Compares the report with the last one in the log. A streamed answer has none there; a report of a nested run has another path. */
function checkShown({ events, markdown }: ReadBundle): string[] {
  const last = events.map(({ value }) => ReportShownSchema.safeParse(value)).findLast(({ success }) => success);
  if (markdown === null || last?.data === undefined || last.data.delta === markdown) return [];
  return ["markdown: it is not the report that the log shows"];
}

/** Compares the stated number of origins of each claim with a new count. `comparesTexts`: copies share an origin, not only equal texts. */
function checkOrigins(bundle: ReadBundle, comparesTexts: boolean): string[] {
  const { claims, citations } = bundle;
  const origins = originsBySource(bundle, comparesTexts);
  const sourceOf = new Map(citations.map(({ value }) => [value.id, value.sourceId]));
  return claims.flatMap(({ name, value }) => {
    const ids = value.citations.flatMap((id) => sourceOf.get(id) ?? []);
    const count = new Set(ids.map((id) => origins.get(id) ?? id)).size;
    return count === value.origins ? [] : [`${name}: its origins are counted as ${value.origins}, and its sources make ${count}`];
  });
}

/** Returns the origin of each cited source: the one that the report states, or that of an equal text or copy. */
function originsBySource({ citations, sources, documents }: ReadBundle, comparesTexts: boolean): Map<string, string> {
  const byHash = new Map(documents.map(({ value }) => [value.contentHash, value]));
  const cited = new Set(citations.map(({ value }) => value.sourceId));
  const texts = sources.flatMap(({ value: { id, origin = id, contentHash } }) => {
    const document = byHash.get(contentHash ?? "");
    if (!cited.has(id) || document === undefined) return [];
    const text = comparesTexts ? (document.text ?? "") : "";
    return [{ id, origin, title: document.title, words: sampleWords(text), contentHash: document.contentHash }];
  });
  return originsOf(texts);
}

const UsageEventSchema = z.object({ type: z.literal("usage"), usage: TokenUsageSchema, costUsd: z.number() });
type UsageSums = Pick<Usage, "inputTokens" | "outputTokens" | "costUsd">;
/** A relative difference. Floating-point sums depend on the order of addition. */
const TOLERANCE = 1e-9;

/** Compares the usage with the sums over models and, unless the run was restarted (which repeats events), over `usage` events. */
function checkUsage({ run, events }: ReadBundle, isOwn: boolean): string[] {
  if (run === null) return [];
  const { usage } = run;
  const ofModels = usage.models.length === 0 ? [] : differences(usage, sumsOf(usage.models), "its models make");
  const calls = usage.models.reduce((sum, model) => sum + model.calls, 0);
  if (usage.models.length > 0 && calls !== usage.modelCalls)
    ofModels.push(`usage: modelCalls is ${usage.modelCalls}, and its models make ${calls}`);
  const isWhole = run.status === "succeeded" && !events.some(({ value }) => value.type === "run-restarted");
  if (!isOwn || !isWhole) return ofModels;
  const usages = events.flatMap(({ value }) => {
    const { data } = UsageEventSchema.safeParse(value);
    return data === undefined ? [] : [{ ...data.usage, costUsd: data.costUsd }];
  });
  // Graphs of embedding programs may call models without `usage` events.
  if (usages.length === 0 && usage.modelCalls > 0) return ofModels;
  return [...ofModels, ...differences(usage, sumsOf(usages), "the log makes")];
}

function sumsOf(parts: readonly UsageSums[]): UsageSums {
  const sum = (key: keyof UsageSums): number => parts.reduce((total, part) => total + part[key], 0);
  return { inputTokens: sum("inputTokens"), outputTokens: sum("outputTokens"), costUsd: sum("costUsd") };
}

function differences(stated: UsageSums, made: UsageSums, makes: string): string[] {
  return (["inputTokens", "outputTokens", "costUsd"] as const)
    .filter((key) => Math.abs(stated[key] - made[key]) > (key === "costUsd" ? TOLERANCE * Math.max(1, made[key]) : 0))
    .map((key) => `usage: ${key} is ${stated[key]}, and ${makes} ${made[key]}`);
}

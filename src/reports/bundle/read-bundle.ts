import { isUtf8 } from "node:buffer";
import type { z } from "zod";
import { type Block, BlockSchema } from "../../domain/blocks.ts";
import {
  BUNDLE_TYPE,
  BUNDLE_VERSION,
  type BundledDocument,
  BundledDocumentSchema,
  type BundledEvent,
  BundledEventSchema,
  type BundledRun,
  BundledRunSchema,
  BundleSchema,
  type Rendered,
  RenderedSchema,
} from "../../domain/bundle.ts";
import {
  type Citation,
  type Claim,
  type Coverage,
  type LedgerEntry,
  type Passage,
  PassageSchema,
  ReportSchema,
  type Source,
  type StruckSentence,
} from "../../domain/report.ts";
import { DossierError } from "../../errors.ts";
import { type Fields, isFields } from "../../util/json-fields.ts";
import { readStrictJson } from "./strict-json.ts";

export interface Item<T> {
  /** The name in faults, such as `claim 3`. */
  readonly name: string;
  /** The number in its list, from 1; 0 if it is not in a list. */
  readonly place: number;
  readonly value: T;
}

export function valuesOf<T>(items: readonly Item<T>[]): T[] {
  return items.map(({ value }) => value);
}

export interface ReadBundle {
  readonly raw: Fields & { readonly report: Fields };
  readonly faults: readonly string[];
  readonly program: string;
  readonly run: BundledRun | null;
  readonly rendered: Rendered | undefined;
  readonly coverage: Coverage | null;
  readonly markdown: string | null;
  /** Fields of the report that are no lists of their own; null if one of them is malformed. */
  readonly said: Said | null;
  readonly blocks: readonly Item<Block>[];
  readonly struck: readonly Item<StruckSentence>[];
  readonly claims: readonly Item<Claim>[];
  readonly citations: readonly Item<Citation>[];
  readonly closest: readonly Item<Passage>[];
  readonly sources: readonly Item<Source>[];
  readonly ledger: readonly Item<LedgerEntry>[];
  readonly documents: readonly Item<BundledDocument>[];
  readonly events: readonly Item<BundledEvent>[];
}

const SaidSchema = ReportSchema.pick({ answers: true, missing: true, summary: true, cutOff: true });
type Said = z.infer<typeof SaidSchema>;

export const ITEM_NAMES = {
  blocks: "block",
  struck: "struck sentence",
  missing: "missing item",
  claims: "claim",
  citations: "citation",
  closest: "closest passage",
  sources: "source",
  ledger: "ledger entry",
  documents: "document",
  events: "event",
} as const;
const REPORT_LISTS = ["claims", "citations", "sources", "ledger", "blocks", "struck", "missing"] as const;

const REPORT_FIELDS: ReadonlySet<string> = new Set(Object.keys(ReportSchema.omit({ verdict: true }).shape));

/** @throws DossierError `bundle_invalid` if the file is no bundle */
export function readBundle(bytes: Uint8Array): ReadBundle {
  const { value, ambiguities } = readStrictJson(new TextDecoder().decode(bytes));
  const raw = bundleOf(value);
  const faults: string[] = [];
  if (!isUtf8(bytes)) faults.push("the file: some of its bytes are not UTF-8");
  faults.push(...ambiguities);
  const { report, ...shape } = BundleSchema.shape;
  const one = <T>(name: string, value: unknown, schema: z.ZodType<T>): T | undefined =>
    read({ name, place: 0, value }, schema, faults)?.value;
  const list = <T>(name: keyof typeof ITEM_NAMES, values: unknown, schema: z.ZodType<T>): Item<T>[] =>
    (values as unknown[]).flatMap((value, index) => {
      const place = index + 1;
      return read({ name: `${ITEM_NAMES[name]} ${place}`, place, value }, schema, faults) ?? [];
    });
  for (const key of Object.keys(raw.report)) if (!REPORT_FIELDS.has(key)) faults.push(`${key}: a report has no such field`);
  for (const key of Object.keys(raw)) if (!Object.hasOwn(BundleSchema.shape, key)) faults.push(`${key}: a bundle has no such field`);
  return {
    raw,
    faults,
    program: one("program", raw["program"], shape.program) ?? "",
    run: one("run", raw["run"], BundledRunSchema) ?? null,
    rendered: one("rendered", raw["rendered"], RenderedSchema),
    coverage: one("coverage", raw.report["coverage"], report.shape.coverage) ?? null,
    markdown: one("markdown", raw.report["markdown"], report.shape.markdown) ?? null,
    said: said(raw.report, faults),
    blocks: list("blocks", raw.report["blocks"], BlockSchema),
    struck: list("struck", raw.report["struck"], report.shape.struck.unwrap().element),
    claims: list("claims", raw.report["claims"], report.shape.claims.element),
    citations: list("citations", raw.report["citations"], report.shape.citations.element),
    closest: list("closest", raw.report["closest"] ?? [], PassageSchema),
    sources: list("sources", raw.report["sources"], report.shape.sources.element),
    ledger: list("ledger", raw.report["ledger"], report.shape.ledger.element),
    documents: list("documents", raw["documents"], BundledDocumentSchema),
    events: list("events", raw["events"], BundledEventSchema),
  };
}

function said(report: Fields, faults: string[]): Said | null {
  const picked = Object.fromEntries(
    Object.keys(SaidSchema.shape).flatMap((key) => (Object.hasOwn(report, key) ? [[key, report[key]]] : [])),
  );
  const parsed = SaidSchema.safeParse(picked);
  if (parsed.success) return parsed.data;
  for (const { path, message } of parsed.error.issues) faults.push(`${path.join(": ")}: ${message}`);
  return null;
}

function bundleOf(value: unknown): ReadBundle["raw"] {
  if (!isFields(value) || value["type"] !== BUNDLE_TYPE) throw invalid(`its type is not ${BUNDLE_TYPE}`);
  const { report, version } = value;
  if (version !== BUNDLE_VERSION) throw invalid(`this program reads version ${BUNDLE_VERSION}, not ${JSON.stringify(version)}`);
  if (!isFields(report)) throw invalid("it has no report");
  const missing = [
    ...REPORT_LISTS.filter((name) => !Array.isArray(report[name])).map((name) => `report.${name}`),
    ...(report["closest"] === undefined || Array.isArray(report["closest"]) ? [] : ["report.closest"]),
    ...["documents", "events"].filter((name) => !Array.isArray(value[name])),
  ];
  if (missing.length > 0) throw invalid(`it has no list ${missing.join(", ")}`);
  return { ...value, report };
}

function invalid(what: string): DossierError {
  return new DossierError("bundle_invalid", `The file is no evidence bundle: ${what}.`);
}

function read<T>({ name, place, value }: Item<unknown>, schema: z.ZodType<T>, faults: string[]): Item<T> | null {
  const parsed = schema.safeParse(value);
  if (parsed.success) {
    for (const path of unknownKeys(value, parsed.data)) faults.push(`${[name, ...path].join(": ")}: a bundle has no such field`);
    return { name, place, value: parsed.data };
  }
  for (const { path, message } of parsed.error.issues) faults.push(`${[name, ...path].join(": ")}: ${message}`);
  return null;
}

function unknownKeys(value: unknown, known: unknown): string[][] {
  if (typeof value !== "object" || value === null || typeof known !== "object" || known === null) return [];
  const kept = new Map(Object.entries(known));
  return Object.entries(value).flatMap(([key, inside]) =>
    kept.has(key) ? unknownKeys(inside, kept.get(key)).map((path) => [key, ...path]) : [[key]],
  );
}

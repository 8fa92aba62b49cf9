import { z } from "zod";
import { StoredDocumentSchema } from "./document.ts";
import { ReportSchema } from "./report.ts";
import { RunSchema } from "./run.ts";

export const BUNDLE_TYPE = "dossier-bundle";
export const BUNDLE_VERSION = 2;
/** The version of bundles whose reports have no blocks. They are read, and no longer written. */
export const FIRST_BUNDLE_VERSION = 1;

export const BundledRunSchema = RunSchema.pick({
  id: true,
  graph: true,
  question: true,
  status: true,
  createdAt: true,
  startedAt: true,
  endedAt: true,
  termination: true,
  usage: true,
});
export type BundledRun = z.infer<typeof BundledRunSchema>;

/** `text` is null unless the report quotes the document. */
export const BundledDocumentSchema = StoredDocumentSchema.omit({ blocks: true, text: true }).extend({
  /** In UTF-16 code units. */
  characters: z.int().nonnegative(),
  text: z.string().nullable(),
});
export type BundledDocument = z.infer<typeof BundledDocumentSchema>;

export const BundledEventSchema = z.looseObject({ seq: z.int().positive(), runId: z.string(), at: z.string(), type: z.string() });
export type BundledEvent = z.infer<typeof BundledEventSchema>;

/** The arguments of the Markdown renderer; null if the Markdown was not rendered from the report's fields. */
export const RenderedSchema = z.object({ language: z.string(), reason: z.string().nullable() }).nullable();
export type Rendered = z.infer<typeof RenderedSchema>;

const SumSchema = z.string().regex(/^[0-9a-f]{64}$/);

const Sums = z.array(SumSchema);
const SumsOfReport = { citations: Sums, claims: Sums, coverage: SumSchema, ledger: Sums, markdown: SumSchema, sources: Sums };

/** One checksum per item, so that `npm run verify` can name the changed item. Optional fields that the report lacks count as null. */
export const SumsSchema = z.strictObject({
  documents: Sums,
  events: Sums,
  program: SumSchema,
  rendered: SumSchema,
  report: z.strictObject({
    ...SumsOfReport,
    answers: SumSchema,
    blocks: Sums,
    closest: Sums,
    cutOff: SumSchema,
    missing: Sums,
    struck: Sums,
    unanswered: SumSchema,
  }),
  run: SumSchema,
});
export type Sums = z.infer<typeof SumsSchema>;

/** The checksums of a bundle of version 1. */
export const FirstSumsSchema = SumsSchema.extend({ report: z.strictObject({ ...SumsOfReport, closest: Sums.optional() }) });

/** A report with the evidence to check it offline. `digest` is the SHA-256 of all other fields as canonical JSON (RFC 8785). */
export const BundleSchema = z.object({
  type: z.literal(BUNDLE_TYPE),
  version: z.literal(BUNDLE_VERSION),
  program: z.string(),
  run: BundledRunSchema,
  report: ReportSchema,
  rendered: RenderedSchema,
  documents: z.array(BundledDocumentSchema),
  events: z.array(BundledEventSchema),
  sums: SumsSchema,
  digest: SumSchema,
});

import { z } from "zod";
import { StoredDocumentSchema } from "./document.ts";
import { CitationSchema, ClaimSchema, CoverageSchema, LedgerEntrySchema, ReportSchema, SourceSchema } from "./report.ts";
import { RunSchema } from "./run.ts";

export const BUNDLE_TYPE = "dossier-bundle";
export const BUNDLE_VERSION = 1;

/** What a bundle says of its run. */
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

/** A document of the run: with its text where the report quotes it, otherwise by its name alone. */
export const BundledDocumentSchema = StoredDocumentSchema.omit({ blocks: true, text: true }).extend({
  /** The length of the text in UTF-16 code units. */
  characters: z.int().nonnegative(),
  text: z.string().nullable(),
});
export type BundledDocument = z.infer<typeof BundledDocumentSchema>;

/** What every event of the log has; the rest depends on its type. */
export const BundledEventSchema = z.looseObject({ seq: z.int().positive(), runId: z.string(), at: z.string(), type: z.string() });
export type BundledEvent = z.infer<typeof BundledEventSchema>;

/** What the Markdown was rendered with beside the report's content; null where it was not made by rendering that content. */
export const RenderedSchema = z.object({ language: z.string(), reason: z.string().nullable() }).nullable();
export type Rendered = z.infer<typeof RenderedSchema>;

/** SHA-256 (lower-case hex) of the UTF-8 bytes of a part's canonical JSON (RFC 8785). */
const SumSchema = z.string().regex(/^[0-9a-f]{64}$/);

/** The sums of the parts, item by item, so that what was changed can be named. */
export const SumsSchema = z.strictObject({
  documents: z.array(SumSchema),
  events: z.array(SumSchema),
  program: SumSchema,
  rendered: SumSchema,
  report: z.strictObject({
    citations: z.array(SumSchema),
    claims: z.array(SumSchema),
    /** Bundles of earlier versions have none. */
    closest: z.array(SumSchema).optional(),
    coverage: SumSchema,
    ledger: z.array(SumSchema),
    markdown: SumSchema,
    sources: z.array(SumSchema),
  }),
  run: SumSchema,
});
export type Sums = z.infer<typeof SumsSchema>;

/**
 * A report with everything by which it can be checked without this server. `digest` is the SHA-256 of the canonical JSON
 * (RFC 8785) of all other fields, so that white space, the order of keys and the way characters are escaped do not matter.
 */
export const BundleSchema = z.object({
  type: z.literal(BUNDLE_TYPE),
  version: z.literal(BUNDLE_VERSION),
  program: z.string(),
  run: BundledRunSchema,
  report: z.object({
    markdown: z.string(),
    claims: z.array(ClaimSchema),
    citations: z.array(CitationSchema),
    closest: ReportSchema.shape.closest,
    sources: z.array(SourceSchema),
    coverage: CoverageSchema,
    ledger: z.array(LedgerEntrySchema),
  }),
  rendered: RenderedSchema,
  /** Those that the report quotes come first, in the order in which it does. */
  documents: z.array(BundledDocumentSchema),
  events: z.array(BundledEventSchema),
  sums: SumsSchema,
  digest: SumSchema,
});

import { z } from "zod";
import type { ReportedRun } from "../domain/ports/reports.ts";
import { buildForm } from "./form/build-form.ts";
import type { ReportForm } from "./form/report-form.ts";
import { cleanText, escapeMarkdown } from "./text.ts";

/** Formats that take long enough to be made beside the event loop. */
export const HEAVY_FORMATS = ["pdf", "docx"] as const;
export type HeavyFormat = (typeof HEAVY_FORMATS)[number];

/** What the thread that makes a file is given; `program` is the name and version that stands in the receipt. */
export interface RenderingTask {
  readonly run: ReportedRun;
  readonly format: HeavyFormat;
  readonly program: string;
}

export const RenderingAnswerSchema = z.union([z.object({ bytes: z.instanceof(Uint8Array) }), z.object({ failure: z.string() })]);
export type RenderingAnswer = z.infer<typeof RenderingAnswerSchema>;

/** The form of the report of a run that has ended, with its receipt. */
export function formOf(run: ReportedRun, program: string): ReportForm {
  const { report, question, language = "auto", termination } = run;
  return buildForm(
    { ...report, question, language, reason: report.claims.length === 0 ? (termination?.detail ?? null) : null },
    { ...run, program },
    saidIn(run),
  );
}

/** The answer that cites nothing, as it was said; null for a report that was rendered, which begins with its question. */
function saidIn({ report: { claims, citations, markdown }, question }: ReportedRun): string | null {
  const isSaid = claims.length > 0 && citations.length === 0 && markdown.trim() !== "";
  return isSaid && !markdown.startsWith(`# ${escapeMarkdown(cleanText(question))}\n`) ? markdown : null;
}

/** The date that stands in the properties of a file: when the run ended, so that it is the same whenever the file is made. */
export function dateOf({ endedAt, createdAt }: ReportedRun): string {
  return endedAt ?? createdAt;
}

import type { Report } from "../report.ts";
import type { Run } from "../run.ts";

/** Before rendering; `reason` says why there is no answer. */
export type ReportContent = Omit<Report, "markdown"> & {
  readonly question: string;
  readonly language: string;
  readonly reason: string | null;
};

/** A pure function of the content. */
export type ReportRenderer = (content: ReportContent) => string;

export type FileFormat = "md" | "html" | "pdf" | "docx" | "bib";

export type ReportedRun = Run & { readonly report: Report };

/** Reports as files. The same run always gives the same bytes. */
export interface ReportFiles {
  /** @throws DossierError `timeout` if rendering takes too long, `cancelled` if `signal` is aborted or the service closes */
  render(run: ReportedRun, format: FileFormat, signal: AbortSignal): Promise<Uint8Array>;
  readonly htmlPolicy: string;
  close(): Promise<void>;
}

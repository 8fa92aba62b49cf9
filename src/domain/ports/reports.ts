import type { Report } from "../report.ts";
import type { Run } from "../run.ts";

/** A report before it is rendered. `reason` says why there is no answer where there is none. */
export type ReportContent = Omit<Report, "markdown"> & {
  readonly question: string;
  readonly language: string;
  readonly reason: string | null;
};

/** Renders a report; a pure function of its content. */
export type ReportRenderer = (content: ReportContent) => string;

/** What a report can be kept as, beside its data as JSON. */
export type FileFormat = "md" | "html" | "pdf" | "docx" | "bib";

export type ReportedRun = Run & { readonly report: Report };

/** Reports as files. The same run gives the same bytes, whenever it is asked for. */
export interface ReportFiles {
  /** @throws DossierError `timeout` when it takes too long, `cancelled` when `signal` is aborted or the service closes */
  render(run: ReportedRun, format: FileFormat, signal: AbortSignal): Promise<Uint8Array>;
  /** What HTML may do in a browser, as a `Content-Security-Policy`. */
  readonly htmlPolicy: string;
  close(): Promise<void>;
}

import type { Report } from "../report.ts";

/** A report before it is rendered. `reason` says why there is no answer where there is none. */
export type ReportContent = Omit<Report, "markdown"> & {
  readonly question: string;
  readonly language: string;
  readonly reason: string | null;
};

/** Renders a report; a pure function of its content. */
export type ReportRenderer = (content: ReportContent) => string;

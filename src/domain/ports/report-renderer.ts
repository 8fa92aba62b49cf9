import type { Report } from "../report.ts";

/** A report before it is rendered. `reason` says why there is no answer where there is none. */
export type ReportContent = Omit<Report, "markdown"> & {
  readonly question: string;
  readonly language: string;
  readonly reason: string | null;
  /** Whether a model's text was cut off before its end, so that the report may lack the rest. */
  readonly cutOff?: boolean;
};

/** Renders a report; a pure function of its content. */
export type ReportRenderer = (content: ReportContent) => string;

import { createContext, useContext } from "react";
import type { Report } from "../../../../src/domain/report.ts";
import type { Run } from "../../../../src/domain/run.ts";
import type { ReportPlaces } from "./read-address.ts";
import type { Note } from "./source-facts.ts";

export interface ReportContent {
  readonly run: Run;
  readonly report: Report;
  /** By citation number. */
  readonly notes: ReadonlyMap<number, Note>;
  readonly isUncited: boolean;
  /** Whether the report consists of quotes, which no model wrote. */
  readonly isQuotes: boolean;
  /** Whether the figures of several sentences each have one source only, which one line says for all. */
  readonly isOfOneOrigin: boolean;
  readonly places: ReportPlaces;
  /** The id of the sentence that the address names; empty if none. */
  readonly target: string;
}

export const ReportContext = createContext<ReportContent | null>(null);

export function useReport(): ReportContent {
  const content = useContext(ReportContext);
  if (content === null) throw new Error("This is shown within a report only.");
  return content;
}

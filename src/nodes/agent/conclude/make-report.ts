import type { Hit } from "../../../domain/hit.ts";
import type { ReportRenderer } from "../../../domain/ports/report-renderer.ts";
import type { LedgerEntry, Report } from "../../../domain/report.ts";
import type { Task } from "../../../domain/request.ts";
import { stripUnknownAddresses } from "../../../evidence/address-filter.ts";
import type { AgentReading } from "../state.ts";
import { withCutNote } from "./cut-note.ts";
import { sourcesOf } from "./evidence.ts";
import type { Answer } from "./read-answer.ts";

/** All that a report says besides its answer. */
export interface ReportParts {
  readonly task: Pick<Task, "question" | "language">;
  readonly hits: readonly Hit[];
  readonly readings: readonly AgentReading[];
  /** The addresses that may be shown. */
  readonly known: readonly string[];
  readonly ledger: readonly LedgerEntry[];
  /** Why there is no answer, where there is none. */
  readonly reason: string | null;
  /** Whether the answer ends where its length limit was. */
  readonly cut: boolean;
}

/** The report of an answer whose citations have been checked; an answer that cites nothing is shown as it was written. */
export function makeReport(answer: Answer, parts: ReportParts, renderMarkdown: ReportRenderer): Report {
  const { task, hits, readings, known, reason, cut } = parts;
  const { question, language } = task;
  const { claims, citations, coverage } = answer;
  const sources = sourcesOf(hits, readings, known).map((source) => {
    const origin = answer.origins.get(source.id);
    return origin === undefined ? source : { ...source, origin };
  });
  const ledger = parts.ledger.map((entry) => withoutInvented(entry, known));
  const content = { claims: [...claims], citations: [...citations], closest: [], sources, coverage, ledger };
  const said = answer.text ?? renderMarkdown({ question, language, reason, ...content });
  return { markdown: cut ? withCutNote(said, task) : said, ...content };
}

/** A call may name an address that nobody has found: the model's arguments stand in the ledger. */
function withoutInvented(entry: LedgerEntry, known: readonly string[]): LedgerEntry {
  // What is told of the model is ours.
  if (entry.what === "model") return entry;
  const { what, target, detail } = entry;
  // So is what is told of the server that ranks by meaning, which the operator named.
  const told = detail === null || what === "rerank" ? detail : stripUnknownAddresses(detail, known);
  return { ...entry, target: stripUnknownAddresses(target, known), detail: told };
}

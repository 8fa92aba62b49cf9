import { canonicalJson } from "../domain/json.ts";
import type { Todo } from "../domain/plan.ts";
import { isChecked, type Report } from "../domain/report.ts";
import type { ThreadAnswer } from "../domain/task.ts";
import { type EndedRun, toHit } from "./thread-readings.ts";

interface AnsweredRun extends EndedRun {
  readonly question: string;
  /** As JSON. */
  readonly request: string;
}

const MAX_ANSWERS = 12;

/**
 * Returns what runs answered, as far as code checked it: the answer to each completed todo, or to the question of a run without todos.
 * `runs` are in order, the latest first. Leaves out runs with other `metadata`, on which the results of tools may depend.
 */
export function answersOf(runs: readonly AnsweredRun[], request: string, todosOf: (runId: string) => readonly Todo[]): ThreadAnswer[] {
  const asked = termsOf(request);
  const answers = runs.flatMap((run): ThreadAnswer[] => {
    const { report } = run;
    const own = termsOf(run.request);
    if (report === null || own.metadata !== asked.metadata) return [];
    const todos = todosOf(run.id);
    const whole = { description: run.question, citations: report.citations.map(({ id }) => id), status: "completed" };
    const parts = (todos.length === 0 ? [whole] : todos).filter(({ status }) => status === "completed");
    const again = own.all === asked.all && { again: true as const };
    return parts.map(({ description, citations }) => {
      return { run: run.id, question: description, at: run.ended_at ?? 0, ...again, ...evidenceOf(report, citations) };
    });
  });
  return answers.filter(({ claims }) => claims.length > 0).slice(0, MAX_ANSWERS);
}

/** Returns the checked sentences with one of these citations, with all that they cite. */
function evidenceOf({ claims, citations, sources }: Report, ids: readonly number[]): Pick<ThreadAnswer, "claims" | "citations" | "hits"> {
  const own = claims.filter((claim) => isChecked(claim) && claim.citations.some((id) => ids.includes(id)));
  const cited = citations.filter(({ id }) => own.some((claim) => claim.citations.includes(id)));
  const quotes = Map.groupBy(cited, ({ sourceId }) => sourceId);
  return {
    claims: own.map(({ origins: _, figureOrigins: __, ...claim }) => claim),
    citations: cited,
    hits: sources.filter(({ id }) => quotes.has(id)).map((source) => toHit(source, quotes.get(source.id) ?? [])),
  };
}

function termsOf(request: string): { readonly all: string; readonly metadata: string } {
  const { threadId: _, metadata = {}, ...terms } = JSON.parse(request);
  return { all: canonicalJson(terms), metadata: canonicalJson(metadata) };
}

import type { Effects } from "../../../domain/ports/effects.ts";
import type { Assessment, AssessmentView } from "../../../domain/ports/research-analyst.ts";
import { resolveLanguage } from "../../../ranking/language.ts";
import { type Bearing, isAskedAgain, isAskedOnce, questionOf } from "./bears-out.ts";
import { isQuoted, judgeFindings } from "./judge-findings.ts";
import { type ResearchPhrases, researchPhrases } from "./phrases.ts";
import { mostRelevant } from "./relevance.ts";
import { broader, withoutScaffolding } from "./reword.ts";
import { sayComponent } from "./say-component.ts";
import { readDemands } from "./subject-terms.ts";

const MAX_SUMMARY = 300;

/** Whether what was found answers the todo; if not, it is looked for once more without the words that frame it, and then given up. */
export function assessByRules(view: AssessmentView, effects: Effects): Assessment {
  const { todo, findings, round, roundsLeft } = view;
  const phrases = researchPhrases(resolveLanguage(view.language, view.question));
  const { bearing, answered: holds } = judgeFindings(view, { todo, findings });
  // What the user's own words have found is shown; what fewer words find beside it would be about less.
  const found = isAskedOnce(todo, view.question, round) && isQuoted(findings);
  const nextQuery = holds || found || round > 1 || roundsLeft < 1 ? null : inFewerWords(todo);
  const assessment: Assessment = {
    taskCompleted: holds,
    shouldContinue: nextQuery !== null,
    nextAction: nextQuery === null ? "complete" : "continue",
    summary: holds ? answerOf(view) : (whatIsMissing(bearing, phrases) ?? findings.reason ?? phrases.nothingFound),
    nextQuery,
  };
  const status = holds ? "completed" : nextQuery === null ? "failed" : "executing";
  sayComponent(effects, "executor-response", { ...withoutLedger(assessment), status, todoId: todo.id });
  return assessment;
}

/** What only the search sees. */
function inFewerWords(todo: AssessmentView["todo"]): string | null {
  return isAskedAgain(todo) ? broader(questionOf(todo)) : withoutScaffolding(todo.description);
}

function withoutLedger({ taskCompleted, shouldContinue, nextAction, summary, nextQuery }: Assessment) {
  return { taskCompleted, shouldContinue, nextAction, summary, nextQuery };
}

/** The claim that tells most of what is asked for. */
function answerOf({ todo, findings: { claims } }: AssessmentView): string {
  const told = claims.filter(({ supported }) => supported);
  const [best] = mostRelevant(told, readDemands(questionOf(todo)), 1);
  return best?.text.slice(0, MAX_SUMMARY).toWellFormed() ?? "";
}

/** What the passages that there are leave open; null where there are none. */
export function whatIsMissing({ passages, missing, lacks, lacksProperty, untold }: Bearing, phrases: ResearchPhrases): string | null {
  if (passages === 0) return null;
  if (missing.length > 0) return phrases.notNamed(phrases.list(missing));
  if (lacksProperty !== null) return phrases.withoutKind(phrases.list([lacksProperty]));
  if (lacks !== null) return phrases.withoutKind(phrases.kinds[lacks]);
  return untold.length > 0 ? phrases.notNamed(phrases.list(untold)) : phrases.nothingFound;
}

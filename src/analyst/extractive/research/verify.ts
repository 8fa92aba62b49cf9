import type { Effects } from "../../../domain/ports/effects.ts";
import type { Executed, Verdict, VerificationView } from "../../../domain/ports/research-analyst.ts";
import { resolveLanguage } from "../../../ranking/language.ts";
import { whatIsMissing } from "./assess.ts";
import { judgeFindings } from "./judge-findings.ts";
import { type ResearchPhrases, researchPhrases } from "./phrases.ts";
import { sayComponent } from "./say-component.ts";

/** Looks at the quotes of each todo again: they must name its subject and tell what kind of thing it asks for. Of other roles rules know nothing. */
export function verifyByRules(view: VerificationView, effects: Effects): Verdict {
  if (view.role !== "verifier") return { allCompleted: true, overallFeedback: "", tasks: [] };
  const phrases = researchPhrases(resolveLanguage(view.language, view.question));
  const tasks = view.executed.map((executed) => judge(executed, view, phrases));
  const failed = tasks.filter(({ completed }) => !completed).length;
  const overallFeedback = failed === 0 ? phrases.allHold : phrases.someFail(failed, tasks.length);
  const verdict = { allCompleted: failed === 0, overallFeedback, tasks };
  sayComponent(effects, "verifier-response", verdict);
  return verdict;
}

function judge({ todo, findings }: Executed, view: VerificationView, phrases: ResearchPhrases): Verdict["tasks"][number] {
  // What the conversation answers has no passages to look at.
  if (todo.answeredBy === "conversation") return { id: todo.id, completed: true, feedback: "" };
  const { bearing, answered } = judgeFindings(view, { todo, findings });
  const completed = answered && todo.status !== "skipped";
  const feedback = completed
    ? phrases.holds(bearing.passages)
    : (whatIsMissing(bearing, phrases) ?? findings.reason ?? phrases.nothingFound);
  return { id: todo.id, completed, feedback };
}

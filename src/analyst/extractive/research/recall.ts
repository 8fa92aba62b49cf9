import { NOTHING_FOUND } from "../../../domain/findings.ts";
import type { Executed, Findings, Recalled, RecallView } from "../../../domain/ports/research-analyst.ts";
import type { Citation, DraftClaim } from "../../../domain/report.ts";
import type { Turn } from "../../../domain/request.ts";
import { saysNoAnswer } from "../no-answer.ts";
import { questionOf } from "./bears-out.ts";
import { meaningOf } from "./equal-meaning.ts";
import { mostRelevant } from "./relevance.ts";
import { holdsWhatIsAsked, isRefusal, isStatement } from "./said-before.ts";
import { saysJustThat } from "./says-just-that.ts";
import { sentencesOf } from "./sentences-of.ts";
import { type Demands, readDemands } from "./subject-terms.ts";

const MAX_TEXT = 500;
/** So many sentences of an earlier answer, without quotes and with them. */
const MAX_SENTENCES = 3;
const MAX_EARLIER = 5;

/**
 * What answers the todo already, by certain signs: a question of the same words that was answered, in this run or in the conversation;
 * or a sentence among the findings that says the todo's own words and, beside them, nothing but what is asked for. Of an earlier answer
 * only the sentences that speak of the question: with their quotes where the run that gave it has them, else its plain words.
 */
export function recallByRules({ todo, history, executed, earlier }: RecallView): Recalled | null {
  const question = questionOf(todo);
  const meaning = meaningOf(question);
  const completed = executed.filter((one) => one.todo.status === "completed" && one.todo.id !== todo.id);
  const equal = completed.find((one) => one.findings.claims.length > 0 && meaningOf(questionOf(one.todo)) === meaning);
  if (equal) return { from: "evidence", text: textOf(equal.findings.claims), findings: equal.findings };
  const said = completed.flatMap((one) => saying(question, one))[0];
  if (said) return said;
  const turn = history.findLast((before) => meaningOf(before.question) === meaning && isAnswer(before));
  if (turn === undefined) return null;
  const demands = readDemands(question);
  const borneOut = earlier === undefined ? [] : mostRelevant(holding(demands, earlier.claims), demands, MAX_EARLIER);
  if (earlier !== undefined && borneOut.length > 0) {
    return { from: "conversation", text: textOf(borneOut), findings: withCitations(borneOut, earlier.citations) };
  }
  const text = plainAnswer(demands, turn);
  if (text === "") return null;
  return { from: "conversation", text, findings: NOTHING_FOUND, ...(turn.run !== undefined && { earlierRun: turn.run }) };
}

/** The sentences of an earlier answer that speak most of the question. */
function plainAnswer(demands: Demands, { answer, run }: Turn): string {
  const sentences = sentencesOf(answer).filter((text) => run !== undefined || isStatement(demands, text));
  const claims = sentences.map((text) => ({ text, citations: [], supported: false, section: "" }));
  const chosen = mostRelevant(holding(demands, claims), demands, MAX_SENTENCES).map(({ text }) => text);
  return chosen
    .join(/\p{sc=Han}/u.test(answer) ? "" : " ")
    .slice(0, MAX_TEXT)
    .toWellFormed();
}

function holding(demands: Demands, claims: readonly DraftClaim[]): DraftClaim[] {
  return claims.filter(({ text }) => holdsWhatIsAsked(demands, text));
}

/** What a run has stored of itself goes before its words; of words that were said elsewhere nothing else is known. */
function isAnswer({ answer, run, unanswered }: Turn): boolean {
  if (answer.trim() === "" || unanswered || saysNoAnswer(answer)) return false;
  return run !== undefined || !isRefusal(answer);
}

/** The sentences of a todo's findings that say just what is asked. */
function saying(question: string, { findings }: Executed): Recalled[] {
  const claims = findings.claims.filter(({ supported, text }) => supported && saysJustThat(question, text));
  if (claims.length === 0) return [];
  return [{ from: "evidence", text: textOf(claims), findings: withCitations(claims, findings.citations) }];
}

function withCitations(claims: readonly DraftClaim[], citations: readonly Citation[]): Findings {
  const cited = new Set(claims.flatMap((claim) => claim.citations));
  return { claims, citations: citations.filter(({ id }) => cited.has(id)), reason: null };
}

function textOf(claims: readonly DraftClaim[]): string {
  return claims[0]?.text.slice(0, MAX_TEXT).toWellFormed() ?? "";
}

import type { PlannedTodo, Todo } from "../../../domain/plan.ts";
import type { Effects } from "../../../domain/ports/effects.ts";
import type { Planning, PlanningView } from "../../../domain/ports/research-analyst.ts";
import { resolveLanguage } from "../../../ranking/language.ts";
import { isAskedAgain, isAskedOnce, questionOf } from "./bears-out.ts";
import { type ResearchPhrases, researchPhrases } from "./phrases.ts";
import { broader } from "./reword.ts";
import { sayComponent } from "./say-component.ts";
import { cutQuestion, splitQuestion } from "./split/split-question.ts";
import { readDemands } from "./subject-terms.ts";

const MAX_DESCRIPTION = 2_000;
const MAX_CRITERIA = 1_000;
const MAX_NAMES = 3;

/**
 * The questions that make up the user's question as todos, side by side. Later on, one that was asked as a whole falls into the questions
 * that it joins, or the failed ones are asked once more in fewer words, under their ids; a todo that was reworded before is given up. Where all parts of the question have failed and none can be reworded, the question
 * as a whole takes their place, once: an empty plan means that rules have nothing else to try. A rejected plan is replaced by the
 * question as a whole: what the user says against it rules cannot read, and the planning says so.
 */
export function planByRules(view: PlanningView, effects: Effects): Planning {
  const phrases = researchPhrases(resolveLanguage(view.language, view.question));
  const { todos, reasoning, anew = false } = chosen(view, phrases);
  sayComponent(effects, "planner-response", { needsMorePlanning: false, question: null, reasoning, todos });
  const unused = view.rejection !== null && { reasonUnused: true as const };
  return { todos, needsMorePlanning: false, question: null, ...(anew && { anew }), ...unused };
}

interface Chosen {
  readonly todos: PlannedTodo[];
  readonly reasoning: string;
  readonly anew?: boolean;
}

function chosen({ question, history, todos: before, rejection }: PlanningView, phrases: ResearchPhrases): Chosen {
  if (rejection !== null) return { todos: [newTodo(question.trim(), 0, phrases)], reasoning: phrases.asWhole };
  if (before.length > 0)
    return apart(question, before, phrases) ?? reworded(question, before, phrases) ?? asWhole(question, before, phrases);
  const questions = splitQuestion(
    question,
    history.map((turn) => turn.question),
  );
  const reasoning = questions.length > 1 ? phrases.planned(questions.length) : phrases.asWhole;
  return { todos: questions.map((one, i) => newTodo(one, i, phrases)), reasoning };
}

/** A question that was asked as a whole, and joins several: what only one of them asks for must not keep the others from being answered. */
function apart(question: string, before: readonly Todo[], phrases: ResearchPhrases): Chosen | null {
  const [only, ...others] = before;
  if (only?.status !== "failed" || others.length > 0 || only.description !== question.trim() || isAskedAgain(only)) return null;
  const questions = cutQuestion(question);
  if (questions.length < 2) return null;
  const todos = questions.map((one, i) => newTodo(one, freeIndex(before) + i, phrases));
  return { todos, reasoning: phrases.planned(questions.length), anew: true };
}

/** What was asked once has found something, which is shown as it is. */
function reworded(question: string, before: readonly Todo[], phrases: ResearchPhrases): Chosen | null {
  const open = before.filter((todo) => todo.status === "failed" && !isAskedOnce(todo, question, todo.rounds));
  const todos = open.flatMap((todo) => askAgain(todo) ?? []);
  return todos.length > 0 ? { todos, reasoning: phrases.reworded(todos.length) } : null;
}

/** What is asked for may stand where none of its parts is found. Its parts were asked before, and its criterion tells so. */
function asWhole(question: string, before: readonly Todo[], phrases: ResearchPhrases): Chosen {
  const inVain = before.length > 1 && before.every(({ status }) => status === "failed" || status === "skipped");
  const asked = newTodo(question.trim(), freeIndex(before), phrases);
  const whole = { ...asked, doneCriteria: asCriterion(asked.description) };
  if (!inVain || before.some(({ description }) => description === whole.description))
    return { todos: [], reasoning: phrases.nothingToPlan };
  return { todos: [whole], reasoning: phrases.asWhole, anew: true };
}

/** What was found under an id stays with it. */
function freeIndex(before: readonly Todo[]): number {
  let index = before.length;
  while (before.some(({ id }) => id === `T${index + 1}`)) index += 1;
  return index;
}

/** In its own words, which a todo shows; that it is asked again, and so in fewer words where they find nothing, its criterion tells. */
function askAgain(todo: Todo): PlannedTodo | null {
  const question = questionOf(todo);
  if (isAskedAgain(todo) || broader(question) === null) return null;
  const { id, keyFacts, priority, dependsOn } = todo;
  return { id, description: question, doneCriteria: asCriterion(question), keyFacts, priority, dependsOn };
}

function asCriterion(question: string): string {
  const plain = question
    .slice(0, MAX_CRITERIA - 1)
    .replace(/[.。!！…\s]+$/u, "")
    .toWellFormed();
  if (/[?？]$/u.test(plain)) return plain;
  return `${plain}${/\p{Script=Han}$/u.test(plain) ? "？" : "?"}`;
}

function newTodo(question: string, index: number, phrases: ResearchPhrases): PlannedTodo {
  return {
    id: `T${index + 1}`,
    description: question.slice(0, MAX_DESCRIPTION).toWellFormed(),
    doneCriteria: criteriaOf(question, phrases),
    keyFacts: [],
    priority: 1,
    dependsOn: [],
  };
}

function criteriaOf(question: string, phrases: ResearchPhrases): string {
  const { subject, answerKind } = readDemands(question);
  const names = phrases.list(subject.slice(0, MAX_NAMES).map(({ surface }) => surface));
  if (names === "") return "";
  return (answerKind ? phrases.speaksOfAndNames(names, phrases.kinds[answerKind]) : phrases.speaksOf(names)).slice(0, MAX_CRITERIA);
}

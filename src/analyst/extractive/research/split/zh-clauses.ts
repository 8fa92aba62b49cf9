import { type Clause, cutClauses, joinLeaning } from "./cut-clauses.ts";
import {
  asksForVisit,
  type ChineseSubject,
  hasChinesePronoun,
  leansOnChineseClause,
  namesItselfInChinese,
  resolveChinese,
  subjectOfChinese,
} from "./zh-subject.ts";

const ASKING = /什么|谁|哪|几[个种座家位条年月天点间层次]|多少|多[大长高远久重深宽快]|何时|何地|何人|怎么|怎样|如何|为什么|是否|吗|呢/u;
const JOINT =
  /[，,；;]\s*(?:并且|而且|以及|还有|和|并|又|那么|那|同时)?\s*|(?:、|以及|并且|并|和|又)(?=由谁|由哪|何时|什么时候|谁|在哪|位于哪|哪一?年|有多[长高大少]|多[长高大]|是谁|为什么|如何|怎么)/u;

/** Between questions the mark of a list is one between clauses. */
const WIDE_JOINT = new RegExp(`${JOINT.source}|、`, "u");

const REQUEST_BEHIND =
  /[，,；;]\s*(?:并且?|同时|然后|再|另外|还请?|顺便|也)?(?:请)?(?:告诉我|说说|说明|回答我?)(?=.*(?:什么|谁|哪|多少|几|何|怎|多))[，,]?/u;

/** 比较……，并告诉我……, as two sentences; null where it is one, or where it is not certain what the second means. */
export function splitChineseRequests(sentence: string): string[] | null {
  const [first = "", ...others] = sentence.replace(/[？?。\s]+$/u, "").split(REQUEST_BEHIND);
  if (others.length === 0 || first.length < 2) return null;
  const subject = subjectOfChinese(first);
  const rest = others.map((clause) => resolveChinese(clause, subject));
  return rest.every((clause) => clause !== null) ? [`${first}。`, ...rest.map((clause) => `${clause.replace(/[？?]+$/u, "")}？`)] : null;
}

/** The questions of one sentence that asks several, each for itself; null where it asks one, or where they cannot be told apart safely. */
export function splitChineseClauses(sentence: string): string[] | null {
  const clauses = clausesOf(sentence);
  const first = clauses?.[0]?.text ?? "";
  const subject = subjectOfChinese(first);
  if (clauses === undefined || subject === null) return null;
  const questions = joinLeaning(clauses, first, (clause) => completed(clause, subject), isWhole);
  return questions?.map((question) => `${question.replace(/[？?]+$/u, "")}？`) ?? null;
}

/** The questions that are joined in a text, as they stand; the text where it is one. */
export function chineseQuestionClauses(text: string): string[] {
  return clausesOf(text)?.map((clause) => clause.text) ?? [text];
}

function clausesOf(sentence: string): Clause[] | undefined {
  const plain = sentence.replace(/[？?。\s]+$/u, "");
  const cuts = [WIDE_JOINT, JOINT].map((joint) => cutClauses(plain, joint));
  return cuts.find((cut) => cut.length > 1 && cut.every(({ text }) => ASKING.test(text)));
}

/** Whether a sentence asks several questions, so that a list in it may belong to one of them alone. */
export function asksSeveralInChinese(sentence: string): boolean {
  const clauses = sentence.split(/[，,；;]/u);
  return clauses.length > 1 && clauses.every((clause) => ASKING.test(clause));
}

/** A later clause as a question that stands for itself, or that it leans on the one before it. */
function completed(clause: string, subject: ChineseSubject): string | "leans" {
  if (asksForVisit(clause)) return `${subject.name}${clause}`;
  if (isWhole(clause)) return clause;
  if (leansOnChineseClause(clause, subject)) return "leans";
  const plain = resolveChinese(clause, subject);
  return plain === null || (plain === clause && !namesItselfInChinese(clause, subject)) ? "leans" : plain;
}

/** Whether a clause names its own subject. */
function isWhole(clause: string): boolean {
  return asksForVisit(clause) || (!hasChinesePronoun(clause) && /^谁.+了.{2,}/u.test(clause));
}

import { detectLanguage } from "../../../../ranking/language.ts";
import { splitAspects } from "./aspects.ts";
import { asksSeveral, questionClauses, splitEnglishClauses, splitEnglishRequests } from "./en-clauses.ts";
import { splitEnglishComparison } from "./en-compare.ts";
import { splitEnglishList } from "./en-lists.ts";
import { bothInEnglish, hasPronoun, isVague, leansOnClause, placeEnglish, resolveEnglish } from "./en-pronouns.ts";
import { subjectOf } from "./en-subject.ts";
import { mask } from "./masks.ts";
import { type AskedSentence, readAskedSentences } from "./sentences.ts";
import { standsInChinese, standsInEnglish } from "./stands.ts";
import { splitYears } from "./years.ts";
import { asksSeveralInChinese, chineseQuestionClauses, splitChineseClauses, splitChineseRequests } from "./zh-clauses.ts";
import { splitChineseComparison } from "./zh-compare.ts";
import { splitChineseList } from "./zh-lists.ts";
import { bothInChinese, hasChinesePronoun, isVagueChinese, leansOnChineseClause, resolveChinese, subjectOfChinese } from "./zh-subject.ts";

/** More would no longer be a plan. */
const MAX_QUESTIONS = 12;
/** Longer sentences are whole tasks, which no rule takes apart; the work for one grows faster than its length. */
const MAX_SENTENCE = 400;
/** What was spoken of longer ago "they" do not mean. */
const MAX_TURNS = 4;

/** How a language is taken apart; `null` and the sentence itself mean that it stays whole. */
interface Grammar<Subject> {
  readonly conditional: RegExp;
  subjectOf(sentence: string): Subject | null;
  isVague(sentence: string): boolean;
  leansOnOthers(sentence: string): boolean;
  /** Whether it cannot be asked without the sentence before it. */
  leansOnClause(sentence: string, subject: Subject | null): boolean;
  /** Whether it is one question and can be asked alone, as far as its form tells. */
  stands(part: string): boolean;
  asksSeveral(sentence: string): boolean;
  /** The questions that a sentence joins, as they stand. */
  questions(sentence: string): string[];
  resolve(sentence: string, subject: Subject | null): string | null;
  /** Requests behind each other, as sentences. */
  requests(sentence: string): string[] | null;
  compare(sentence: string): string[] | null;
  clauses(sentence: string): string[] | null;
  list(sentence: string): string[] | null;
  /** A sentence that names nothing, with the name that a sentence before it, which asks nothing, speaks of. */
  place(sentence: string, context: string): string;
  /** The two things that "which of them" means, as one subject; null where the sentence means no two, or they are not plain. */
  both(sentence: string, one: Subject, other: Subject): Subject | null;
}

const ENGLISH: Grammar<ReturnType<typeof subjectOf> & {}> = {
  // "What happens if" is a question of its own.
  conditional:
    /(?<!\p{L})(?:(?<!what (?:happens|happened|is done) )if|unless|whether|assuming|provided|suppose|in case|depending)(?!\p{L})/iu,
  subjectOf,
  isVague,
  leansOnOthers: hasPronoun,
  leansOnClause,
  stands: standsInEnglish,
  asksSeveral,
  questions: questionClauses,
  resolve: resolveEnglish,
  requests: splitEnglishRequests,
  compare: splitEnglishComparison,
  clauses: splitEnglishClauses,
  list: splitEnglishList,
  place: placeEnglish,
  both: bothInEnglish,
};
const CHINESE: Grammar<ReturnType<typeof subjectOfChinese> & {}> = {
  conditional: /如果|假如|假设|倘若|要是|的话|只要|除非|一旦|若(?!干)|当.{2,30}时/u,
  subjectOf: subjectOfChinese,
  isVague: isVagueChinese,
  leansOnOthers: hasChinesePronoun,
  leansOnClause: leansOnChineseClause,
  stands: standsInChinese,
  asksSeveral: asksSeveralInChinese,
  questions: chineseQuestionClauses,
  resolve: resolveChinese,
  requests: splitChineseRequests,
  compare: splitChineseComparison,
  clauses: splitChineseClauses,
  list: splitChineseList,
  place: (sentence) => sentence,
  both: bothInChinese,
};

/**
 * The questions that make up a question, each of which stands for itself, in its order and language; the user's own words, trimmed,
 * where it is one, or where it is not certain how it falls apart. At most 12. `earlier` are the questions of the conversation, oldest
 * first, which its pronouns may mean.
 */
export function splitQuestion(question: string, earlier: readonly string[] = []): string[] {
  const language = detectLanguage(question);
  if (language === "zh") return split(CHINESE, question, earlier);
  return language === "en" ? split(ENGLISH, question, earlier) : [question.trim()];
}

/**
 * The questions that one sentence joins, in the user's words, each as long as a question is and without a pronoun: for a question that
 * has found nothing as a whole, though what a later one is about may stand in the first. The question itself where it joins none.
 */
export function cutQuestion(question: string): string[] {
  const isChinese = detectLanguage(question) === "zh";
  const { questions, conditional, leansOnOthers, leansOnClause: leans, stands } = isChinese ? CHINESE : ENGLISH;
  const { text, reveal } = mask(question.trim());
  if (text.length > MAX_SENTENCE || conditional.test(text)) return [question.trim()];
  const joined = questions(text);
  if (joined.length < 2 || joined.length > MAX_QUESTIONS) return [question.trim()];
  const clauses = joined.map((clause) => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}${isChinese ? "？" : "?"}`);
  const isQuestion = (clause: string): boolean => (isChinese ? clause.length > 5 : clause.split(" ").length > 2);
  const alone = clauses.every((clause) => isQuestion(clause) && stands(clause) && !leansOnOthers(clause) && !leans(clause, null));
  return alone ? clauses.map(reveal) : [question.trim()];
}

function split<Subject extends { readonly name: string }>(
  grammar: Grammar<Subject>,
  question: string,
  earlier: readonly string[],
): string[] {
  const whole = [question.trim()];
  const { text, reveal } = mask(question.trim());
  const aspects = text.length <= 2 * MAX_SENTENCE ? splitAspects(text) : null;
  if (aspects) return unique(aspects.map(reveal));
  const sentences = readAskedSentences(text);
  const asking = sentences.filter(({ asks }) => asks);
  if (asking.some((sentence) => sentence.text.length > MAX_SENTENCE)) return whole;
  if (asking.length === 0 || (sentences.length > 1 && asking.some((sentence) => grammar.isVague(sentence.text)))) return whole;
  const resolved = resolveAll(grammar, sentences, subjectBefore(grammar, sentences[0]?.text ?? "", earlier));
  if (resolved === null || (resolved.length > 1 && !resolved.every(grammar.stands))) return whole;
  const fine = unique(resolved.flatMap((sentence) => splitSafely(grammar, sentence)));
  const parts = fine.length > MAX_QUESTIONS ? resolved : fine;
  if (parts.length > MAX_QUESTIONS) return whole;
  if (parts.length > 1) return parts.map(reveal);
  // One question stays in the user's own words, unless they lean on the conversation.
  const [only] = asking;
  return only !== undefined && sentences.length === 1 && resolved[0] !== only.text ? resolved.map(reveal) : whole;
}

/** The sentences that ask, each with its subject; null where one of them speaks of something that is not plain. */
function resolveAll<Subject>(grammar: Grammar<Subject>, sentences: readonly AskedSentence[], before: Subject | null): string[] | null {
  let subject = before;
  let context = "";
  const resolved: string[] = [];
  for (const { text, asks } of sentences) {
    if (text.length > MAX_SENTENCE) continue;
    const last = resolved.at(-1);
    if (asks && last !== undefined && leans(grammar, text, subject)) {
      if (last.length + text.length > MAX_SENTENCE) return null;
      resolved[resolved.length - 1] = `${last} ${text}`;
      continue;
    }
    const plain = asks ? grammar.resolve(text, subject) : text;
    if (plain === null) return null;
    if (asks) resolved.push(plain === text ? grammar.place(plain, context) : plain);
    else context = text;
    subject = grammar.subjectOf(plain) ?? (grammar.leansOnOthers(text) ? subject : null) ?? (asks ? null : subject);
  }
  return resolved;
}

/** Whether a sentence depends on the answer to the one before it. */
function leans<Subject>(grammar: Grammar<Subject>, text: string, subject: Subject | null): boolean {
  return grammar.leansOnClause(text, subject) || (grammar.conditional.test(text) && grammar.leansOnOthers(text));
}

/** What the conversation speaks of: its last question, or the two things that it last asked about where the sentence means two. */
function subjectBefore<Subject extends { readonly name: string }>(
  grammar: Grammar<Subject>,
  sentence: string,
  earlier: readonly string[],
): Subject | null {
  const recent = earlier.slice(-MAX_TURNS).filter((question) => question.length <= MAX_SENTENCE);
  const subjects = recent.flatMap((question) => grammar.subjectOf(question) ?? []);
  const last = subjects.at(-1);
  const other = subjects.findLast(({ name }) => name !== last?.name);
  const both = last && other ? grammar.both(sentence, other, last) : null;
  const asked = earlier.at(-1);
  return both ?? (asked === undefined || asked.length > MAX_SENTENCE ? null : grammar.subjectOf(asked));
}

/** A sentence that falls into something that is no question stays whole. */
function splitSafely<Subject>(grammar: Grammar<Subject>, sentence: string): string[] {
  // Two sentences in one cannot be asked apart.
  if (/[?？]\s*\S/u.test(sentence)) return [sentence];
  const parts = splitSentence(grammar, sentence);
  return parts.length === 1 || parts.every(grammar.stands) ? parts : [sentence];
}

function splitSentence<Subject>(grammar: Grammar<Subject>, sentence: string): string[] {
  if (grammar.conditional.test(sentence)) return [sentence];
  const requests = grammar.requests(sentence);
  return (requests ?? [sentence]).flatMap((request) => splitRequest(grammar, request));
}

function splitRequest<Subject>(grammar: Grammar<Subject>, sentence: string): string[] {
  const compared = grammar.compare(sentence);
  if (compared) return compared.flatMap(splitYears);
  const clauses = grammar.clauses(sentence) ?? [sentence];
  return clauses.flatMap((clause) => splitClause(grammar, clause));
}

function splitClause<Subject>(grammar: Grammar<Subject>, clause: string): string[] {
  if (grammar.asksSeveral(clause)) return [clause];
  return (grammar.compare(clause) ?? grammar.list(clause) ?? [clause]).flatMap(splitYears);
}

function unique(questions: readonly string[]): string[] {
  return [...new Set(questions.map((question) => question.trim()))];
}

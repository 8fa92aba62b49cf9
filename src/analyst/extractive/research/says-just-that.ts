import { STOP_TERMS } from "../../../ranking/stop-words.ts";
import { tokenise } from "../../../ranking/tokenise.ts";
import type { AnswerKind } from "../answer-kind.ts";
import { holdsKind } from "../answer-signs.ts";
import { type Demands, readDemands } from "./subject-terms.ts";

/** Of these a sentence that says nothing else is certain; a person's name is not told from what is said of them. */
const CERTAIN: ReadonlySet<AnswerKind> = new Set(["date", "quantity", "money", "duration"]);
const UNIT =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|year|met(?:er|re)s?|m|km|kilomet(?:er|re)s?|miles?|feet|hectares?|tonnes?|tons?|kilos?|square|percent|dollars?|euros?|pounds?|crowns?|yuan|people|inhabitants|hours?|minutes?|days?|months?|weeks?|about|around|roughly|nearly|almost|exactly|approximately|thousand|million|billion|long|tall|high|wide|deep|large|old|big|total|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)$/iu;
/** What is denied, planned or doubted, or so only until or after something. */
export const NEGATED =
  /(?<!\p{L})(?:not|no|never|nor|neither|without|before|after|until|except|planned|supposed|expected|would|could|might|may have|if|almost opened|said to)(?!\p{L})|n't|不|没|未|非|无|计划|预计|拟|曾经|据说|传说|可能|之前|之后|以前|以后|除/u;
/** What may stand in a Chinese sentence beside the words of its question: figures, their units, and what joins them. */
const CHINESE_FILLER =
  /[\d０-９.,，\s年月日号于在是由共有约个座米公里千万亿百十元人口平方吨度正式的了为达大概一共总共全长高约达到小时分钟天%％零一二两三四五六七八九]/gu;
const CHINESE_QUESTION =
  /什么时候|什么时间|何时|哪一年|哪年|哪一天|多少(?:钱|人|个|座|年|米|公里)?|有多[长高大深宽重]|多[长高大深宽重]|几[个座条年]|多久|是|有|的|了|在|于|共|请问|[？?，。\s]/gu;

/** Whether a sentence is the question's own words with what is asked for in the place of its question words, and nothing else. */
export function saysJustThat(question: string, sentence: string): boolean {
  const demands = readDemands(question);
  const { answerKind } = demands;
  if (answerKind === null || !CERTAIN.has(answerKind) || NEGATED.test(sentence)) return false;
  if (!holdsKind(answerKind, withoutYears(sentence, demands), question)) return false;
  if (/\p{sc=Han}/u.test(question)) return saysInChinese(question, sentence);
  return demands.hasNames && saysInWords(demands, sentence);
}

/** A year that the question names is no answer to it. */
function withoutYears(sentence: string, { years }: Demands): string {
  return years.reduce((rest, year) => rest.replaceAll(year, ""), sentence);
}

function saysInWords(demands: Demands, sentence: string): boolean {
  const asked = tokenise(demands.text).filter((term) => !STOP_TERMS.has(term));
  const said = contentOf(sentence);
  const known = new Set(asked);
  const framing = new Set(["mani", "much", "long", "tall", "high", "larg", "larger", "year", "date", "cost", "old", "deep", "wide"]);
  return (
    said.every((term) => known.has(term)) &&
    asked.every((term) => said.includes(term) || framing.has(term)) &&
    (countsNoun(demands.text, sentence) || inOrder(asked, said, framing))
  );
}

/** The words of content, without figures and their units. */
function contentOf(sentence: string): string[] {
  const words = sentence.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’.,:-]*/gu) ?? [];
  return words
    .filter((word) => !UNIT.test(word.replace(/[.,:]+$/, "")) && !/^\p{N}/u.test(word))
    .flatMap(tokenise)
    .filter((term) => !STOP_TERMS.has(term));
}

/** "how many stations …": the figure stands before what is counted, wherever that stands. */
function countsNoun(question: string, sentence: string): boolean {
  const noun = /^how many (\p{L}{3,}?)s?(?!\p{L})/iu.exec(question)?.[1];
  return noun !== undefined && new RegExp(`\\p{N}\\s+${noun}`, "iu").test(sentence);
}

/** Who beat whom hangs on the order. */
function inOrder(asked: readonly string[], said: readonly string[], framing: ReadonlySet<string>): boolean {
  const told = asked.filter((term) => said.includes(term) && !framing.has(term));
  const firsts = told.map((term) => said.indexOf(term));
  return firsts.every((at, i) => i === 0 || at > (firsts[i - 1] ?? -1));
}

function saysInChinese(question: string, sentence: string): boolean {
  const pieces = question.normalize("NFKC").replaceAll(CHINESE_QUESTION, " ").trim().split(/\s+/);
  let rest = sentence.normalize("NFKC").replace(/[。.！!]$/u, "");
  const places: number[] = [];
  for (const piece of pieces) {
    const at = rest.indexOf(piece);
    if (at < 0) return false;
    places.push(at);
    rest = `${rest.slice(0, at)}${" ".repeat(piece.length)}${rest.slice(at + piece.length)}`;
  }
  return rest.replaceAll(CHINESE_FILLER, "") === "" && places.every((at, i) => i === 0 || at > (places[i - 1] ?? -1));
}

import { type Hit, isBefore, knownDate } from "../../domain/hit.ts";
import type { SearchQuery } from "../../domain/ports/sources.ts";
import { DossierError } from "../../errors.ts";
import { isRequest, keywords, plainWords } from "../../ranking/query-terms.ts";
import { normalizeText } from "../../ranking/tokenize.ts";
import { cutText } from "./text.ts";

export function isTraditionalChinese(tag: string): boolean {
  return /^zh\b.*-(?:hant|tw|hk|mo)\b/i.test(tag);
}

type Written = SearchQuery["written"];

/** For a service that reads whole questions. Of a request for a text, such as "write a report on …", it gets the content words. */
export function questionLine(
  text: string,
  maxLength: number,
  { written, maxWords }: { written?: Written; maxWords?: number } = {},
): string {
  const whole = () => text.normalize("NFC").toWellFormed().trim().split(/\s+/);
  const words = written === true || isRequest(text) ? searchWords(text, written) : whole();
  return joinWithin(words, " ", maxLength, maxWords);
}

export function keywordLine(text: string, maxLength: number, written?: Written): string {
  return joinWithin(searchWords(text, written), " ", maxLength);
}

/** Joins the words and phrases that fit. Cuts only the first word, because a Chinese question can be one long word. */
export function joinWithin(words: readonly string[], separator: string, maxLength: number, maxWords = Number.POSITIVE_INFINITY): string {
  let line = Array.from(words[0] ?? "")
    .slice(0, maxLength)
    .join("");
  let count = line.split(" ").length;
  for (const word of words.slice(1)) {
    count += word.split(" ").length;
    if (count > maxWords || line.length + separator.length + word.length > maxLength) break;
    line += separator + word;
  }
  return line;
}

/** Smaller than the limit of every service, so that a phrase is never cut. In UTF-16 code units, with the quotes. */
const MAX_PHRASE = 200;
const QUOTED = /((?<!\d)"[^"]{1,200}"|“[^“”]{1,200}”|「[^「」]{1,200}」|『[^『』]{1,200}』|《[^《》]{1,200}》)/u;

/** Returns the words and phrases in their order. A phrase is in straight quotes: `"whale oil"`. A longer quotation becomes words. */
function writtenWords(text: string): string[] {
  return normalizeText(text)
    .split(QUOTED)
    .flatMap((part, i) => {
      const words = plainWords(part);
      const phrase = `"${words.join(" ")}"`;
      if (i % 2 === 1 && words.length > 0 && phrase.length <= MAX_PHRASE) return [phrase];
      // These are the operators of search engines, which few services read alike.
      return words.filter((word) => !/^(?:AND|OR|NOT)$/.test(word));
    });
}

/** Returns the content words of a question, or the words and phrases of a written query. */
export function searchWords(text: string, written?: Written): string[] {
  return written === true ? writtenWords(text) : keywords(text);
}

export function isPhrase(word: string): boolean {
  return word.startsWith('"');
}

/** For a service without phrases. */
export function withoutQuotes(words: readonly string[]): string[] {
  return words.map((word) => word.replaceAll('"', ""));
}

/** Services refuse long URLs. A Chinese character becomes nine characters in a URL. */
const MAX_WORDS = 16;
const MAX_CHARACTERS = 300;
const EAST_ASIAN = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
const LATIN = /\p{sc=Latin}/u;

/** Returns at most 16 words and phrases, and 300 characters. @throws DossierError `empty` if there are none */
export function queryWords(text: string, written?: Written): string[] {
  return bounded(searchWords(text, written));
}

/** Returns the words for an English index: `Transformer` for "Transformer 的复杂度". @throws DossierError `empty` if there are none */
export function englishWords(text: string, written?: Written): string[] {
  const words = searchWords(text, written);
  const fitting = words.some((word) => LATIN.test(word))
    ? words.filter((word) => !EAST_ASIAN.test(word))
    : words.filter((word) => /\p{L}/u.test(word));
  return bounded(fitting.length > 0 ? fitting : words);
}

function bounded([first, ...more]: readonly string[]): string[] {
  // Some services answer an empty query with all their documents.
  if (first === undefined) throw new DossierError("empty", "Nothing was searched: the question contains no word to search for.");
  const kept = [cutText(first, MAX_CHARACTERS)];
  let length = first.length;
  for (const word of more.slice(0, MAX_WORDS - 1)) {
    length += word.length;
    if (length > MAX_CHARACTERS) break;
    kept.push(word);
  }
  return kept;
}

export type Operator = "AND" | "OR";

export async function allThenAny<T>(
  words: readonly string[],
  search: (operator: Operator) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const found = await search("AND");
  return found.length > 0 || words.length < 2 ? found : search("OR");
}

type Dates = Pick<SearchQuery, "from" | "to" | "today" | "keepsOlder">;

/** Returns both ends, for an index that requires both; null without dates. The ends of an open range are PubMed's own. */
export function dayRange({ from, to }: Dates): readonly [string, string] | null {
  return from === undefined && to === undefined ? null : [from ?? "1000-01-01", to ?? "3000-12-31"];
}

/** Returns both ends, for a search engine that requires both; null without dates, or if the last day is unknown. */
export function webDayRange({ from, to, today }: Dates): readonly [string, string] | null {
  const last = to ?? today;
  return (from === undefined && to === undefined) || last === undefined ? null : [from ?? "1990-01-01", last];
}

/** Returns filters such as `from-pub-date:2020-01-01,until-pub-date:2020-12-31`; undefined without dates. */
export function dateFilters({ from, to }: Dates, fromName: string, toName: string): string | undefined {
  const filters = [from && `${fromName}:${from}`, to && `${toName}:${to}`].filter((filter) => filter !== undefined);
  return filters.length > 0 ? filters.join(",") : undefined;
}

/** Requires `condition` as well, in the syntax of Lucene. */
export function withCondition(expression: string, condition: string | null): string {
  return condition === null ? expression : `(${expression}) AND ${condition}`;
}

/** Leaves out hits that were published on other days. A hit with only a year or month stays if part of it is in the range. */
export function withinDates(hits: readonly Hit[], { from, to, keepsOlder }: Dates): Hit[] {
  return hits.filter(({ publishedAt }) => {
    const date = knownDate(publishedAt);
    if (date === undefined) return true;
    const isEarly = from !== undefined && keepsOlder !== true && isBefore(date, from);
    return !isEarly && (to === undefined || date <= to.slice(0, date.length));
  });
}

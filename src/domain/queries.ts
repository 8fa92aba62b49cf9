import { z } from "zod";
import { fieldsOf, parseJson } from "../util/json-fields.ts";
import { languageCode, UNDETERMINED } from "./language-code.ts";
import { withoutOperators } from "./search-operators.ts";

const QUERY_KINDS = ["web", "scholar", "filing", "market", "encyclopedia", "corpus"] as const;
export type QueryKind = (typeof QUERY_KINDS)[number];

/** What is known of a source when a run is created: its kind, and its languages as BCP 47 tags if it has only these. */
export const SourceFactsSchema = z.object({ kind: z.string(), languages: z.array(z.string()).optional() });
export type SourceFacts = z.infer<typeof SourceFactsSchema>;

/**
 * A query that a model or the user wrote. Without kinds it goes to all sources. The language is a primary BCP 47 tag, `und` if the model named one that
 * is not known. Dates are ISO 8601 and inclusive.
 */
export const PlannedQuerySchema = z.object({
  text: z.string(),
  kinds: z.array(z.enum(QUERY_KINDS)),
  language: z.string().nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  ofOtherKind: z.literal(true).optional().describe("Set if the model named only kinds that are not known."),
  unused: z
    .array(z.string())
    .optional()
    .describe("What the model gave and no source is told: search operators, unknown kinds, languages and dates, queries beyond the sixth."),
});
export type PlannedQuery = z.infer<typeof PlannedQuerySchema>;

export const MAX_QUERIES = 6;
const MAX_TEXT = 500;

const text = z
  .string()
  .describe(
    'The words to search for, in the language of the sources. A phrase stands in quotes: "solid-state battery" cost. Search operators such as site:, -word and OR are not understood and left out.',
  );

const NO_WORDS = "at least one query with words to search for, beside operators such as site: and -word, which are not understood";

/** The arguments of `search`, as a model is told them, with the kinds of sources that it may name. `readQueries` reads what models send. */
export function searchArguments(kinds: readonly QueryKind[]) {
  const query = z.looseObject({
    text,
    kinds: z.array(z.enum(kinds)).optional().describe("The kinds of sources to ask; all if left out. The run has no others."),
    language: z.string().optional().describe("The language of the words, such as en or zh."),
    from: z.string().optional().describe("Only what was published on or after this date, such as 2025-01-31."),
    to: z.string().optional().describe("Only what was published on or before this date."),
  });
  const queries = z.array(kinds.length > 0 ? query : query.omit({ kinds: true })).min(1, NO_WORDS);
  return z.looseObject({
    queries: queries.max(MAX_QUERIES).describe(`One to ${MAX_QUERIES} queries, each for something else that the question needs.`),
  });
}

/** Returns the kinds that a query can name: those of the sources. */
export function kindsOf(sources: Readonly<Record<string, SourceFacts>>): QueryKind[] {
  const kinds = new Set(Object.values(sources).map(({ kind }) => kind));
  return QUERY_KINDS.filter((kind) => kinds.has(kind));
}

/** The queries of a user. They are read like those of a model. */
export const AskedQueriesSchema = z
  .array(
    z
      .string()
      .trim()
      .min(1)
      .max(MAX_TEXT)
      .refine(
        (words) => readQueries({ query: words }).length > 0,
        "must have words to search for, beside operators such as site: and -word",
      ),
  )
  .min(1)
  .max(MAX_QUERIES);

/** Reads each text as one query, whatever it looks like. */
export function readAskedQueries(texts: readonly string[]): PlannedQuery[] {
  return mergeQueries(texts.flatMap((words) => readQueries({ query: words })));
}

/** Also accepts what `readQueries` can read. */
export const SearchCallSchema = z.preprocess((args) => ({ queries: readQueries(args).map(withoutNulls) }), searchArguments(QUERY_KINDS));

function withoutNulls(query: PlannedQuery): Partial<PlannedQuery> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== null));
}

/**
 * Reads the arguments of `search` as leniently as they are clear: one query, a text as a query, one kind, a year as a date, JSON as text.
 * Arguments that are no JSON give no query: who sends them to a source sends brackets and names of fields.
 */
export function readQueries(args: unknown): PlannedQuery[] {
  const parsed = typeof args === "string" ? parseJson(args) : args;
  if (typeof parsed !== "object" || parsed === null) return [];
  const { queries, ...beside } = fieldsOf(parsed);
  const given = decoded(queries ?? parsed);
  const all = [...(Array.isArray(given) ? given : [given]), ...(queries === undefined || queries === null ? [] : [beside])];
  const read = all.map(decoded).map(readQuery);
  const hasWords = ({ text }: PlannedQuery): boolean => HAS_WORDS.test(text);
  const lost = read.filter((one) => !hasWords(one)).flatMap(({ unused = [] }) => unused);
  return mergeQueries(read.filter(hasWords)).map((one, at, { length }) => (at === length - 1 ? withUnused(one, lost) : one));
}

const HAS_WORDS = /[\p{L}\p{N}]/u;

const BEGINS_AS_JSON = /^\s*(?:\{\s*["}]|\[\s*["{\]])/;

/** Returns the value of JSON that a model sent as a text; null if the JSON is cut or broken. */
function decoded(value: unknown): unknown {
  return typeof value === "string" && BEGINS_AS_JSON.test(value) ? (parseJson(value) ?? null) : value;
}

/** Keeps each query once, whatever its case and white space, and at most `MAX_QUERIES`. The last one names those that are left out. */
export function mergeQueries(queries: readonly PlannedQuery[]): PlannedQuery[] {
  const byContent = new Map<string, PlannedQuery>();
  for (const query of queries) {
    const { unused: _, ...asked } = query;
    const key = queryKey(asked);
    if (!byContent.has(key)) byContent.set(key, query);
  }
  const all = [...byContent.values()];
  const more = all.slice(MAX_QUERIES).map(({ text }) => text);
  return all.slice(0, MAX_QUERIES).map((query, at) => (at === MAX_QUERIES - 1 ? withUnused(query, more) : query));
}

function withUnused(query: PlannedQuery, more: readonly unknown[]): PlannedQuery {
  const unused = [...(query.unused ?? []), ...more.flatMap(shownValue)].slice(0, MAX_UNUSED);
  return unused.length === 0 ? query : { ...query, unused };
}

/** Returns the same key for queries that differ only in the case and white space of their words. */
export function queryKey(query: { readonly text: string }): string {
  return JSON.stringify({ ...query, text: query.text.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim() });
}

export function planQuery(text: string): PlannedQuery {
  return { text, kinds: [], language: null, from: null, to: null };
}

function readQuery(given: unknown): PlannedQuery {
  const { text, query, kinds, language, from, to, ofOtherKind, unused: earlier } = fieldsOf(given);
  const words = [given, query, text].find((value) => typeof value === "string") ?? "";
  const { text: line, operators } = withoutOperators(words.replaceAll(/\s+/g, " ").trim().slice(0, MAX_TEXT).toWellFormed());
  const [first, last] = [readDate(from, "01-01"), readDate(to, "12-31")];
  const isReversed = first !== null && last !== null && first > last;
  const dates = isReversed ? { from: null, to: null } : { from: first, to: last };
  const read = readKinds(kinds);
  const code = typeof language === "string" ? languageCode(language) : null;
  const unread = [
    ...(Array.isArray(earlier) ? earlier : []),
    ...operators,
    ...read.unknown,
    ...(code === null ? [language] : []),
    ...(first === null || isReversed ? [from] : []),
    ...(last === null || isReversed ? [to] : []),
  ];
  const isNamed = shownValue(language).length > 0;
  const isOther = ofOtherKind === true || (read.kinds.length === 0 && read.unknown.length > 0);
  const asked = { text: line, kinds: read.kinds, language: code ?? (isNamed ? UNDETERMINED : null), ...dates };
  return withUnused({ ...asked, ...(isOther && { ofOtherKind: true as const }) }, unread);
}

const MAX_UNUSED = 8;
const MAX_UNUSED_LENGTH = 40;

function shownValue(value: unknown): string[] {
  const text = value === undefined || value === null ? "" : String(typeof value === "object" ? JSON.stringify(value) : value);
  const line = text.replaceAll(/\s+/g, " ").trim().slice(0, MAX_UNUSED_LENGTH).toWellFormed();
  return line === "" ? [] : [line];
}

function readKinds(given: unknown): { readonly kinds: QueryKind[]; readonly unknown: unknown[] } {
  const names = (Array.isArray(given) ? given : [given]).filter((name: unknown) => shownValue(name).length > 0);
  const kinds = QUERY_KINDS.filter((kind) => names.includes(kind));
  return { kinds, unknown: names.filter((name) => !kinds.includes(name as QueryKind)).slice(0, MAX_UNUSED) };
}

const DATE = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2})(?:[T ].*)?)?)?$/;
const MAX_DATE = 40;

/** Returns an ISO 8601 date. A year, or a year and a month, begins or ends with that period. Null for anything else. */
function readDate(given: unknown, edge: "01-01" | "12-31"): string | null {
  if (typeof given !== "string" && typeof given !== "number") return null;
  const [, year, month, day] = DATE.exec(withHyphens(String(given).trim().slice(0, MAX_DATE))) ?? [];
  if (year === undefined) return null;
  if (month === undefined) return `${year}-${edge}`;
  const last = new Date(Date.UTC(Number(year), Number(month), 0));
  if (Number.isNaN(last.getTime()) || Number(month) < 1 || Number(month) > 12) return null;
  const isDay = day === undefined || (Number(day) >= 1 && Number(day) <= last.getUTCDate());
  const chosen = day ?? (edge === "01-01" ? "1" : String(last.getUTCDate()));
  return isDay ? [year, month.padStart(2, "0"), chosen.padStart(2, "0")].join("-") : null;
}

/** Of `20250131`, `2025/1/31` and `2025 年 1 月 31 日` makes `2025-01-31` or `2025-1-31`. A time stays after a space. */
function withHyphens(date: string): string {
  return date
    .replace(/^(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3")
    .replaceAll(/\s*[/.年月]\s*/g, "-")
    .replace(/\s*[日号]\s*/, " ")
    .replace(/[- ]+$/, "");
}

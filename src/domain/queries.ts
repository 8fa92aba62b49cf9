import { z } from "zod";
import { fieldsOf, parseJson } from "../util/json-fields.ts";

export const QUERY_KINDS = ["web", "scholar", "filing", "market", "encyclopedia", "corpus"] as const;
export type QueryKind = (typeof QUERY_KINDS)[number];

/** What is known of a source when a run is created: its kind, and its languages as BCP 47 tags if it has only these. */
export const SourceFactsSchema = z.object({ kind: z.string(), languages: z.array(z.string()).optional() });
export type SourceFacts = z.infer<typeof SourceFactsSchema>;

/** A query that a model wrote. Without kinds it goes to all sources. The language is a primary BCP 47 tag. Dates are ISO 8601 and inclusive. */
export const PlannedQuerySchema = z.object({
  text: z.string(),
  kinds: z.array(z.enum(QUERY_KINDS)),
  language: z.string().nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
});
export type PlannedQuery = z.infer<typeof PlannedQuerySchema>;

export const MAX_QUERIES = 6;
const MAX_TEXT = 500;

const text = z
  .string()
  .describe('The words to search for, in the language of the sources. A phrase stands in quotes: "solid-state battery" cost.');

/** The arguments of `search`, as a model is told them, with the `kinds` that it may name. `readQueries` reads what models send. */
export const searchArguments = (kinds: readonly QueryKind[] = QUERY_KINDS) =>
  z.looseObject({
    queries: z
      .array(
        z.looseObject({
          text,
          kinds: z.array(z.enum(kinds)).optional().describe("The kinds of sources to ask; all if left out."),
          language: z.string().optional().describe("The language of the words, such as en or zh."),
          from: z.string().optional().describe("Only what was published on or after this date, such as 2025-01-31."),
          to: z.string().optional().describe("Only what was published on or before this date."),
        }),
      )
      .min(1)
      .max(MAX_QUERIES)
      .describe(`One to ${MAX_QUERIES} queries, each for something else that the question needs.`),
  });

/** Also accepts what `readQueries` can read. */
export const SearchCallSchema = z.preprocess((args) => ({ queries: readQueries(args).map(withoutNulls) }), searchArguments());

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
  const given = decoded(fieldsOf(parsed)["queries"] ?? parsed);
  return mergeQueries((Array.isArray(given) ? given : [given]).map(decoded).flatMap(readQuery));
}

const BEGINS_AS_JSON = /^\s*(?:\{\s*["}]|\[\s*["{\]])/;

/** Returns the value of JSON that a model sent as a text; null if the JSON is cut or broken. */
function decoded(value: unknown): unknown {
  return typeof value === "string" && BEGINS_AS_JSON.test(value) ? (parseJson(value) ?? null) : value;
}

/** Keeps each query once, in whatever case it is written, and at most `MAX_QUERIES`. */
export function mergeQueries(queries: readonly PlannedQuery[]): PlannedQuery[] {
  const byContent = new Map(queries.toReversed().map((query) => [JSON.stringify(query).toLowerCase(), query]));
  return [...byContent.values()].toReversed().slice(0, MAX_QUERIES);
}

function readQuery(given: unknown): PlannedQuery[] {
  const { text, query = text, kinds, language, from, to } = fieldsOf(given);
  const words = [given, query].find((value) => typeof value === "string") ?? "";
  const line = words.replaceAll(/\s+/g, " ").trim().slice(0, MAX_TEXT).toWellFormed();
  if (!/[\p{L}\p{N}]/u.test(line)) return [];
  const [first, last] = [readDate(from, "01-01"), readDate(to, "12-31")];
  const dates = first !== null && last !== null && first > last ? { from: null, to: null } : { from: first, to: last };
  return [{ text: line, kinds: readKinds(kinds), language: readLanguage(language), ...dates }];
}

function readKinds(given: unknown): QueryKind[] {
  const names = Array.isArray(given) ? given : [given];
  return QUERY_KINDS.filter((kind) => names.includes(kind));
}

const NO_LANGUAGE: ReadonlySet<string> = new Set(["und", "mul", "mis", "zxx"]);

/** Returns the primary subtag, such as `zh` of `zh-Hant-TW`. A word such as `English` is well-formed, but longer than any that is in use. */
function readLanguage(given: unknown): string | null {
  if (typeof given !== "string") return null;
  try {
    const { language } = new Intl.Locale(given.trim());
    return language.length <= 3 && !NO_LANGUAGE.has(language) ? language : null;
  } catch {
    return null;
  }
}

const DATE = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?/;

/** Returns an ISO 8601 date. A year, or a year and a month, begins or ends with that period. Null for anything else. */
function readDate(given: unknown, edge: "01-01" | "12-31"): string | null {
  const [, year, month, day] = (typeof given === "string" || typeof given === "number" ? DATE.exec(String(given).trim()) : null) ?? [];
  if (year === undefined) return null;
  if (month === undefined) return `${year}-${edge}`;
  const last = new Date(Date.UTC(Number(year), Number(month), 0));
  if (Number.isNaN(last.getTime()) || Number(month) < 1 || Number(month) > 12) return null;
  if (day === undefined) return `${year}-${month}-${edge === "01-01" ? "01" : String(last.getUTCDate())}`;
  return Number(day) >= 1 && Number(day) <= last.getUTCDate() ? `${year}-${month}-${day}` : null;
}

import { withoutUsCompanies } from "../../../domain/companies/known-companies.ts";
import type { JsonValue } from "../../../domain/json.ts";
import type { ToolRule } from "../decide.ts";
import { loneName } from "./lone-name.ts";
import { ASPECTS, type Aspect, type ShareQuestion, STRONG } from "./share-cues.ts";
import { namesBeside, namesIn, symbolsIn } from "./share-names.ts";
import { companiesAskedFor } from "./us-companies.ts";

const MAX_COMPANIES = 3;
const MAX_ASPECTS = 2;
/** Longer ranges are asked by the month. */
const DAILY_UP_TO_MONTHS = 2;

/**
 * Asks for companies listed in mainland China and Hong Kong by what the question wants to know of them. Which names are
 * such companies only the tool's own search knows; names of US companies are left to the rule of their tool, which comes
 * first, so that a comparison of both takes two rounds.
 */
export const askAkshare: ToolRule = ({ question }) => {
  const text = question.normalize("NFKC");
  const others = withoutUsCompanies(text);
  const asked = readShareQuestion(others, others !== text && companiesAskedFor(text).length > 0);
  return asked.companies
    .slice(0, MAX_COMPANIES)
    .flatMap((company) => asked.aspects.slice(0, MAX_ASPECTS).map((aspect) => ({ ...argumentsOf(aspect, asked), ...company })));
};

/** `besideUs` says that companies of the United States are asked about, too, and were taken out of the text. */
function readShareQuestion(text: string, besideUs: boolean): ShareQuestion {
  const aspects = ASPECTS.filter(({ words }) => words.test(text)).map(({ aspect }) => aspect);
  const symbols = symbolsIn(text, aspects.length > 0);
  return {
    companies: symbols.length > 0 ? symbols.map((symbol) => ({ symbol })) : companiesIn(text, aspects, besideUs),
    aspects: aspects.length > 0 ? aspects : symbols.length > 0 ? ["profile", "quote"] : besideUs ? ["profile", "financials"] : ["profile"],
    range: rangeIn(text),
    quarterly: /季|半年|quarter|half[- ]year|interim|\bQ[1-4]\b|\bH[12]\b/i.test(text),
  };
}

function companiesIn(text: string, aspects: readonly Aspect[], besideUs: boolean): { name: string }[] {
  const strong = aspects.some((aspect) => STRONG.has(aspect));
  const named = namesIn(text, strong);
  const beside = besideUs && !strong ? namesBeside(text) : [];
  const alone = named.length + beside.length === 0 && !besideUs ? loneName(text) : null;
  return [...new Set([...named, ...beside, ...(alone === null ? [] : [alone])])].map((name) => ({ name }));
}

function argumentsOf(aspect: Aspect, { range, quarterly }: ShareQuestion): Record<string, JsonValue> {
  const days = range === null ? {} : { start_date: range.start, end_date: range.end };
  if (aspect === "financials") return { action: aspect, reports: quarterly ? "all" : "annual", ...days };
  if (aspect === "announcements") return { action: aspect, ...days };
  if (aspect === "kline" || (aspect === "quote" && range !== null)) {
    return { action: "kline", period: range !== null && range.months > DAILY_UP_TO_MONTHS ? "monthly" : "daily", ...days };
  }
  return { action: aspect };
}

/** The day, month or years that the question names; several years from the first to the last. */
function rangeIn(text: string): ShareQuestion["range"] {
  const [, year, month, day] =
    /(?<!\d)((?:19|20)\d\d)\s*[-/年]\s*(1[0-2]|0?[1-9])(?:\s*[-/月]\s*(3[01]|[12]\d|0?[1-9]))?(?!\d)/.exec(text) ?? [];
  if (year !== undefined && month !== undefined) {
    const first = `${year}-${month.padStart(2, "0")}`;
    if (day !== undefined) return { start: `${first}-${day.padStart(2, "0")}`, end: `${first}-${day.padStart(2, "0")}`, months: 0 };
    return { start: `${first}-01`, end: `${first}-${new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()}`, months: 1 };
  }
  const years = Array.from(text.matchAll(/(?<![\d.,])((?:19|20)\d\d)(?![\d,.]\d|\d)/g), (match) => match[1] ?? "").toSorted();
  const [first, last] = [years[0], years.at(-1)];
  if (first === undefined || last === undefined) return null;
  return { start: `${first}-01-01`, end: `${last}-12-31`, months: 12 * (Number(last) - Number(first) + 1) };
}

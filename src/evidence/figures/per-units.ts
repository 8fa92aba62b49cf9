import { unitAt } from "./units.ts";

/** What an amount is for: `year` in "$5 a year". `perYear` is how many of a unit of time a year has. */
export interface Per {
  readonly name: string;
  readonly perYear: bigint | null;
}

/** Each row has a name, a pattern for the word behind "per", and for units of time how many a year has and words such as "monthly". */
const ROWS = (
  "second s|secs?|seconds?|秒钟? 31536000; minute min|minutes?|分钟 525600; hour h|hrs?|hours?|小时 8760 hourly; day days?|天|日 365 daily; " +
  "week weeks?|周 52 weekly; month months?|月 12 monthly; year yr|years?|annum|年 1 yearly|annually|annual; night night|晚|夜; share share|股; " +
  "person capita|person|head|inhabitant|resident|人(?!次)|名居民; household household|family|户; vehicle vehicle|car|辆车?; " +
  "unit unit|item|piece|件|个(?!月|星期|小时)"
)
  .split("; ")
  .map((row) => {
    const [name = "", words = "", count, adverbs = "$^"] = row.split(" ");
    const rated = "(?:fee|price|rent|cost|output|production|wage|salary|income|dose)s?(?: (?:of|is|was|at))?";
    return {
      per: { name, perYear: count === undefined ? null : BigInt(count) },
      word: new RegExp(String.raw`^(?:${words})(?!\p{sc=Latin}| ago| later| earlier| after| before)`, "u"),
      adverbBehind: new RegExp(String.raw`^\s?(?:${adverbs})\b`),
      adverbBefore: new RegExp(String.raw`\b(?:${adverbs}) ${rated} ?[$€£¥]?$`),
    };
  });
const BEHIND = /^(?:\s\p{Ll}{2,20}){0,2}?(?:\s?\/\s?|\s(?:per|an?|each|every)\s|\s?[/每])/u;
const BEFORE = /(?:每|\b(?:per|each|every) )([^\d，。,.;；]{1,20})$/u;
const NO_MEASURES = new Set(["months", "days", "seconds", "percent", "points", "times"]);

export function perAround(before: string, behind: string): Per | null {
  const mark = BEHIND.exec(behind)?.[0];
  const found = (mark === undefined ? null : perAt(behind.slice(mark.length))) ?? perAt(BEFORE.exec(before)?.[1] ?? "");
  if (found !== null) return found;
  const row = ROWS.find(({ adverbBehind, adverbBefore }) => adverbBehind.test(behind) || adverbBefore.test(before));
  if (row !== undefined) return row.per;
  if (/时速[^\d，。]{0,6}$/.test(before)) return { name: "hour", perYear: 8_760n };
  return /人均\D{0,6}$/.test(before) ? { name: "person", perYear: null } : null;
}

function perAt(text: string): Per | null {
  const row = ROWS.find(({ word }) => word.test(text));
  if (row !== undefined || text === "") return row?.per ?? null;
  const unit = unitAt(text)?.unit;
  return unit === undefined || NO_MEASURES.has(unit.kind) ? null : { name: `${unit.kind} ${unit.factor}`, perYear: null };
}

import type { Claim, Report, Verdict } from "../domain/report.ts";
import { supportKind } from "../util/support-kinds.ts";

type Language = "en" | "zh";
type Judged = Pick<Report, "answers" | "missing" | "claims" | "citations" | "cutOff" | "ledger" | "sources">;

const WORDS = {
  en: {
    by: { model: "Judged by a model: ", code: "Judged by code: " },
    full: "answers the question fully.",
    fully: "answers the question.",
    partly: "answers the question in part.",
    not: "does not answer the question.",
    nothing: "no answer was found.",
    unasked: "the question was not answered.",
    searched: (places: readonly string[], read: number) =>
      `Searched: ${places.join(", ")}. Read: ${read} ${read === 1 ? "document" : "documents"}.`,
    found: (place: string, results: number) => `${place} (${results === 0 ? "nothing found" : `${results} found`})`,
    next: "What to try: other words, or the language of the sources; more files, addresses or sources; a longer time.",
    nobody: "Nobody judged whether this answers the question.",
    quotes: (count: number) =>
      `Chosen by code: ${count} ${count === 1 ? "passage" : "passages"}, word for word. Nobody judged whether ${count === 1 ? "it answers" : "they answer"} the question.`,
    checked: (unverified: number, sentences: number) =>
      ` Checked by code: ${unverified} of ${sentences} ${sentences === 1 ? "sentence" : "sentences"} ${unverified === 1 ? "is" : "are"} not verified.`,
  },
  zh: {
    by: { model: "模型判断：", code: "程序判断：" },
    full: "完整回答了问题。",
    fully: "回答了问题。",
    partly: "回答了问题的一部分。",
    not: "没有回答问题。",
    nothing: "没有找到答案。",
    unasked: "这个问题没有得到回答。",
    searched: (places: readonly string[], read: number) => `查找了：${places.join("、")}。读取了 ${read} 份文档。`,
    found: (place: string, results: number) => `${place}（${results === 0 ? "没有找到" : `找到 ${results} 项`}）`,
    next: "可以尝试：换一些词，或用来源的语言提问；增加文件、网址或来源；放宽时间范围。",
    nobody: "是否回答了问题，未经判断。",
    quotes: (count: number) => `由程序选出：${count} 段原文，一字未改。是否回答了问题，未经判断。`,
    checked: (unverified: number, sentences: number) => `程序核对：${sentences} 句中有 ${unverified} 句未核实。`,
  },
} as const;

/** Says who judged what a report is worth, in the same words in every format. */
export function verdictOf(report: Judged, language: Language): Verdict {
  const { answers, claims } = report;
  const words = WORDS[language];
  if (claims.length === 0) {
    const judgedBy = answers === "not" ? "model" : "code";
    return { judgedBy, strength: "none", text: `${words.by[judgedBy]}${words[hasLooked(report) ? "nothing" : "unasked"]}` };
  }
  if (answers === null && isUncited(report)) return { judgedBy: null, strength: "unjudged", text: uncitedNote(claims.length, language) };
  if (answers === null && isOnlyQuotes(report)) return { judgedBy: "code", strength: "unjudged", text: words.quotes(claims.length) };
  const unverified = claims.filter((claim) => supportKind(claim) === "unverified").length;
  const checked = unverified === 0 ? "" : words.checked(unverified, claims.length);
  if (answers === null) return { judgedBy: null, strength: "unjudged", text: `${words.nobody}${checked}` };
  const isFull = answers === "fully" && unverified === 0 && report.missing.length === 0 && report.cutOff !== true;
  const strength = isFull ? "full" : answers === "not" ? "none" : "limited";
  return { judgedBy: "model", strength, text: `${words.by.model}${words[isFull ? "full" : answers]}${checked}` };
}

function hasLooked({ ledger, sources }: Pick<Report, "ledger" | "sources">): boolean {
  return sources.length > 0 || ledger.some(({ what, outcome }) => what === "search" && outcome !== "failed");
}

/**
 * Says for a report without an answer what was searched and read, and what to try; empty if nothing could be searched.
 * @param nameOf names a source for readers
 */
export function searchedLines(
  { ledger, sources }: Pick<Report, "ledger" | "sources">,
  language: Language,
  nameOf: (source: string) => string = (source) => source,
): string[] {
  const searches = ledger.filter(({ what, outcome }) => what === "search" && outcome !== "failed");
  if (searches.length === 0) return [];
  const words = WORDS[language];
  const places = [...Map.groupBy(searches, ({ source }) => source)].map(([source, members]) =>
    words.found(
      nameOf(source),
      members.reduce((sum, { results }) => sum + results, 0),
    ),
  );
  const read = sources.filter(({ status }) => status === "read" || status === "snippet").length;
  return [words.searched(places, read), words.next];
}

/** Whether there are claims, and none of them cites anything, so that nothing was checked. */
export function isUncited({ claims, citations }: Pick<Report, "claims" | "citations">): boolean {
  return claims.length > 0 && citations.length === 0 && claims.every(({ reason }) => reason === "no_citation");
}

/** Whether there are claims, and each is its quotes, one after the other, or a row of a table. */
export function isOnlyQuotes({ claims, citations }: Pick<Report, "claims" | "citations">): boolean {
  const quotes = new Map(citations.map(({ id, quote }) => [id, quote]));
  const isQuote = ({ text, citations: ids }: Claim): boolean => {
    const own = ids.map((id) => quotes.get(id));
    return ids.length > 0 && (own.join("\n") === text || own.at(-1) === text);
  };
  return claims.length > 0 && claims.every(isQuote);
}

/** Says below an answer without sources that none of its sentences was checked. */
export function uncitedNote(sentences: number, language: "en" | "zh"): string {
  if (language === "zh") return `这个回答没有引用来源，${sentences === 1 ? "没有" : `其中 ${sentences} 句都没有`}核对。`;
  return `This answer cites no source: ${sentences === 1 ? "it was not checked" : `none of its ${sentences} sentences was checked`}.`;
}

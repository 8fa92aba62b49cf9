import { STRUCK_REASONS, SUPPORT_REASONS, type SupportReason, splitReason } from "../domain/report.ts";
import { quotedText } from "./text.ts";

type Reasons = Readonly<Record<SupportReason, string>>;

export type SupportLabels = typeof ENGLISH;

const ENGLISH = {
  /** What the sentences of one kind stand on, behind their number. */
  kinds: {
    quoted: "quoted word for word",
    computed: "calculated from quoted figures: value checked, words not",
    paraphrased: "with figures checked against the quotes, words not",
    confirmed: "with figures checked, words confirmed by a model",
    summary: "without a source: figures and names stand in cited sentences, what is said was not checked",
    unverified: "not verified",
  },
  unverified: (why: string) => (why === "" ? "(not verified)" : `(not verified: ${why})`),
  contradicted: (why: string) => `(contradicted: ${why})`,
  reasons: {
    no_citation: "no source is cited",
    amount_not_in_quote: "an amount is not in the quotes",
    date_not_in_quote: "a date is not in the quotes",
    name_not_in_source: "a word that may be a name is not in the cited sources",
    amount_not_in_sentences: "an amount is in no checked sentence",
    expression_not_understood: "the calculation cannot be read",
    operand_not_in_quote: "an amount of the calculation is not in the quotes",
    quote_cuts_amount: "the quote cuts an amount",
    quote_too_short: "the quote is too short to be found",
    quotation_not_in_source: "words between quotation marks are not in the cited sources",
    sentence_before_struck: "the sentence before it was left out, so what it is about may be missing",
    too_long: "too long to be checked",
    model_disagrees: "a model found that the quotes do not say this",
    unknown_source: "the cited source does not exist",
    quote_not_found: "the quote is not in the source",
    no_quote: "a source is cited without a quote",
    unknown_address: "an address is in no source",
    amount_contradicted: "the quote has another amount",
    unit_contradicted: "the quote has another unit",
    currency_contradicted: "the quote has another currency",
    date_contradicted: "the quote has another date",
    end_of_range: "one end of a range is given as the figure",
    percent_for_points: "percent is said for percentage points",
    wrong_result: "the calculation has another result",
  } as Reasons,
  words: (why: string, words: string) => `${why}: ${quotedText(words)}`,
  /** @param others the numbers of the other notes that it takes figures from */
  calculation: (working: string, others: readonly number[]) => {
    const from = others.length === 0 ? "" : ` with ${others.length === 1 ? "note" : "notes"} ${others.join(", ")}`;
    return `Calculated${from}: ${working}`;
  },
  workingOf: (working: string, name: string) => `${working} (${name})`,
  /** @param names words that may be names, and stand in no source or in none of their script */
  namesNotCompared: (names: string) => `(name not checked: ${names})`,
  countOf: (count: number, words: string) => `${count} ${words}`,
  counts: (sentences: number, kinds: string) => `${sentences} ${sentences === 1 ? "sentence" : "sentences"}, checked by code: ${kinds}.`,
  leftOut: (count: number, why: readonly (readonly [reason: string, count: number])[]) => {
    const reasons = why.map(([reason, times]) => (times === count ? reason : `${reason} (${times})`)).join("; ");
    return `${count} ${count === 1 ? "sentence was" : "sentences were"} left out${reasons === "" ? "" : `: ${reasons}`}.`;
  },
  /** @param why at least one reason */
  struckHere: (why: readonly string[]) => `What stood here was taken out: ${why.join("; ")}.`,
  code: "Not checked: shown as it was written.",
  struck: "Sentences left out",
  struckHead: ["Sentence", "Why"],
  missing: (items: string) => `Missing: ${items}${/[.?!？！。]$/.test(items) ? "" : "."}`,
  separator: "; ",
};

const CHINESE: SupportLabels = {
  kinds: {
    quoted: "为引文原话",
    computed: "由引文中的数字算出，数值已核对，文字未核对",
    paraphrased: "数字已与引文核对，文字未核对",
    confirmed: "数字已核对，文字经模型确认",
    summary: "没有引用，数字和名称见于有引用的句子，内容未核对",
    unverified: "未核实",
  },
  unverified: (why) => (why === "" ? "（未核实）" : `（未核实：${why}）`),
  contradicted: (why) => `（与引文不符：${why}）`,
  reasons: {
    no_citation: "没有引用来源",
    amount_not_in_quote: "引文中没有其中的数字",
    date_not_in_quote: "引文中没有其中的日期",
    name_not_in_source: "所引来源中没有其中可能是名称的词",
    amount_not_in_sentences: "已核对的句子中没有其中的数字",
    expression_not_understood: "算式无法解读",
    operand_not_in_quote: "引文中没有算式里的数字",
    quote_cuts_amount: "引文截断了数字",
    quote_too_short: "引文太短，无法定位",
    quotation_not_in_source: "所引来源中没有引号内的文字",
    sentence_before_struck: "前一句已删去，所指内容可能不明",
    too_long: "过长，无法核对",
    model_disagrees: "模型认为引文没有这样说",
    unknown_source: "所引来源不存在",
    quote_not_found: "来源中没有这段引文",
    no_quote: "引用来源而没有引文",
    unknown_address: "所有来源中都没有其中的网址",
    amount_contradicted: "与引文中的数字不符",
    unit_contradicted: "与引文中的单位不符",
    currency_contradicted: "与引文中的币种不符",
    date_contradicted: "与引文中的日期不符",
    end_of_range: "把区间的一端当成了数值",
    percent_for_points: "把百分点说成了百分比",
    wrong_result: "算式的结果不同",
  },
  words: (why, words) => `${why}：${quotedText(words)}`,
  calculation: (working, others) => `计算${others.length === 0 ? "" : `（另见注释 ${others.join("、")}）`}：${working}`,
  workingOf: (working, name) => `${working}（${name}）`,
  namesNotCompared: (names) => `（名称未核对：${names}）`,
  countOf: (count, words) => `${count} 句${words}`,
  counts: (sentences, kinds) => `共 ${sentences} 句，由程序核对：${kinds}。`,
  leftOut: (count, why) => {
    const reasons = why.map(([reason, times]) => (times === count ? reason : `${reason}（${times} 句）`)).join("；");
    return `另有 ${count} 句已删去${reasons === "" ? "" : `：${reasons}`}。`;
  },
  struckHere: (why) => `此处原有内容已删去：${why.join("；")}。`,
  code: "未核对，按原样显示。",
  struck: "已删去的句子",
  struckHead: ["句子", "原因"],
  missing: (items) => `缺少：${items}${/[.?!？！。]$/.test(items) ? "" : "。"}`,
  separator: "；",
};

export function supportLabelsFor(language: "en" | "zh"): SupportLabels {
  return language === "zh" ? CHINESE : ENGLISH;
}

/** Replaces the signs of an expression by those that people read. */
export function withSigns(expression: string, { separator }: SupportLabels): string {
  return expression.replaceAll(" - ", " − ").replaceAll(" / ", " ÷ ").replaceAll(" * ", " × ").replaceAll("; ", separator);
}

const CODES: ReadonlySet<string> = new Set([...SUPPORT_REASONS, ...STRUCK_REASONS]);

/** Returns a reason code in words, without the words of the sentence that follow it. An unknown code of a later version stays as it is. */
export function reasonInWords(reason: string, { reasons }: SupportLabels): string {
  const { code } = splitReason(reason);
  return CODES.has(code) ? reasons[code as SupportReason] : code;
}

/** Returns a reason in words, with the words of the sentence that it is about. */
export function explainReason(reason: string, labels: SupportLabels): string {
  const { words } = splitReason(reason);
  const why = reasonInWords(reason, labels);
  return words === "" ? why : labels.words(why, words);
}

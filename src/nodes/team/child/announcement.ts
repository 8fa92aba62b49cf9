import { patternOf } from "./written-call.ts";

/** Longer texts say something. In UTF-16 code units. */
const MAX_LENGTH = 300;

/** What tells of something that has been found, though it begins like an announcement. */
const RESULT = /\b(?:found|show(?:s|ed)|returned|says|said|gave)\b|[=＝]|查到|找到|发现|發現|得知|显示|顯示|结果[是为]|結果[是為]|得出/iu;
/** A colon opens a result, unless it is the tool's input. */
const OPENED = /(?<!query|queries|keywords?|input|arguments?|关键词|關鍵詞|查询|查詢)[ \t]*[:：][ \t]*\S/iu;

const ACKNOWLEDGED = /^(?:ok|okay|sure|of course|certainly|understood|got it|好的?|收到|明白了?|当然|當然)[\p{P}\s]*$/iu;
const FIRST = "(?:(?:ok|okay|sure|alright|first|next|now|then|so|to (?:do|answer|find) (?:this|that|it)(?: out)?)[, ]+)*";
const WILL =
  "(?:(?:i|we) (?:will|shall|am going to|are going to|need to|should|must|have to|want to|would like to)|(?:i|we)['’]ll|i['’]m going to|let me|let['’]s)";
const NOW = "(?: (?:now|first|next|then|just|also|try to|start by|begin by))*";
const USE = "(?:us(?:e|ing)|call(?:ing)?|invok(?:e|ing)|run(?:ning)?|try(?:ing)?|employ|consult(?:ing)?|query(?:ing)?)";

const BEGIN_ZH = "(?:好的?|那么|那麼|首先|现在|現在|接下来|接下來|下面|下一步)?[，,、\\s]*";
const WILL_ZH =
  "(?:(?:让|讓)我们?|我们?[们們]?(?:现在|現在|接下来|接下來|首先|先)*(?:将|將|会|會|要|需要|应该|應該|打算|准备|準備|得|来|來|先)|(?<=接下来|接下來|下面|下一步)[，,]?|将|將)(?:现在|現在|首先|先|再|来|來|去|会|會|要)*";
const USE_ZH = "(?:尝试|嘗試)?(?:使用|利用|调用|調用|运用|運用|借助|通过|通過|用)(?![了过過])";
const SEARCH_ZH = "(?:搜索|搜寻|搜尋|查找|查询|查詢|检索|檢索|搜一下|查一下)(?![了过過到])";
const TOOL_ZH = "工具|计算器|計算器|搜索引擎";

/** Whether a short text does nothing but announce the use of a tool; `tools` are the names that count as tools. */
export function isAnnouncement(text: string, tools: readonly string[]): boolean {
  const said = text.replaceAll(/[*_`"“”「」]/g, (mark) => (mark === "_" ? mark : "")).trim();
  if (said === "" || said.length > MAX_LENGTH || RESULT.test(said) || OPENED.test(said)) return false;
  const sentences = said.split(/(?<=[.!?…])\s+|(?<=[。！？])|\n+/).filter((sentence) => sentence.trim() !== "");
  const announces = announcing(tools);
  const isOne = (sentence: string): boolean => announces.some((form) => form.test(sentence.trim()));
  return sentences.some(isOne) && sentences.every((sentence) => isOne(sentence) || ACKNOWLEDGED.test(sentence.trim()));
}

function announcing(tools: readonly string[]): RegExp[] {
  const names = tools.map((tool) => tool.split(/[_-]+/).map(patternOf).join("[ _-]+")).join("|");
  return [
    new RegExp(`^${FIRST}${WILL}${NOW} ${USE}\\b.*(?:\\btools?\\b|(?<![\\w-])(?:${names})(?![\\w-]))`, "isu"),
    ...(tools.includes("search") ? [new RegExp(`^${FIRST}${WILL}${NOW} (?:search|look up|look for)\\b`, "iu")] : []),
    new RegExp(`^${BEGIN_ZH}${WILL_ZH}${USE_ZH}.*(?:${TOOL_ZH}|${names})`, "isu"),
    ...(tools.includes("search") ? [new RegExp(`^${BEGIN_ZH}${WILL_ZH}${SEARCH_ZH}`, "iu")] : []),
  ];
}

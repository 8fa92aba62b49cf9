import type { TerminationTerms } from "../../../domain/request.ts";

/**
 * What counts as an answer: null where `text` is one, otherwise what the model is told so that it gives one.
 * @param tools the names of the tools of the run
 */
export type TerminationPolicy = (text: string, tools: readonly string[]) => string | null;

/** Longer texts say something, whatever they begin with. In UTF-16 code units. */
const MAX_STOCK_LENGTH = 100;

const HERE =
  "(?:一下|直接|开始|開始|马上|馬上|来|來|再|先|为|為|帮|幫|给|給|您|你|的|这个|這個|该|該|问题|問題|相关|相關|信息|資訊|资料|資料|吧|了)*";
const THERE =
  "(?: (?:you|your|the|this|that|it|question|questions|directly|now|right|away|for|into|about|up|a|moment|information|answer|in|to|on|more|with|myself))*";

/** What models say instead of an answer, without punctuation and in lower case: whole texts, simplified and traditional. */
const STOCK_PHRASES: readonly RegExp[] = [
  /^(?:好的?|嗯|收到|没问题|沒問題|当然|當然|可以)*(?:我)?(?:已经|已經)?(?:明白|了解|知道|清楚|理解)?了?$/u,
  new RegExp(
    `^(?:好的?|嗯)?(?:接下来|接下來)?(?:我|让我|讓我)(?:将|將|会|會|现在|現在|这就|這就|要)*${HERE}(?:回答|解答|答复|答覆|处理|處理|查找|搜索|查询|查詢|搜尋|查|看看|想想|分析|帮忙|幫忙|思考)${HERE}$`,
    "u",
  ),
  /^(?:ok|okay|sure|of course|certainly|got it|understood|i see|i understand|alright|all right)(?: (?:i understand|i see|got it|understood|thanks|thank you))?$/u,
  new RegExp(
    `^(?:(?:ok|okay|sure|of course|certainly|got it|understood|alright|now) )*(?:i will|i ll|i am going to|i m going to|let me)(?: now| just| directly| try to)* (?:answer|respond|reply|help|look|search|check|think|find|start|begin|proceed)${THERE}$`,
    "u",
  ),
  /^(?:如果|若|当|當)(?:有)?(?:需要|必要)(?:的话|的話)?(?:时|時)?(?:使用|调用|調用|用到|借助)?(?:任何|其他|相关|相關|相应|相應)?的?(?:工具)?(?:的话|的話|时|時)?我?(?:会|會|将|將|再|就|来|來|去)*(?:调用|調用|使用|选择|選擇)(?:相应|相應|相关|相關|合适|合適|对应|對應|适当|適當|所需)?的?工具$/u,
  /^(?:if|when|should) (?:i|a tool|any tool|tools|it)?(?: (?:is|are|need|needs|should be|to|be|use|using|a|any|tool|tools|needed|necessary|required))* i (?:will|ll|shall|can) (?:call|use|invoke) (?:the |an? )?(?:corresponding |appropriate |relevant |right |necessary |suitable )?tools?$/u,
];

const NUDGE =
  "That is not an answer yet. Answer the question now, in its language: write the whole answer, or call the tool that you need for it.";

const FINISH = "finish_task";
const FINISH_NUDGE = `This task ends with a call of ${FINISH}: call it with the whole answer, or call the tool that you need for it.`;
const STOCK: TerminationTerms = { policy: "stock_phrases", phrases: [] };

/** What counts as an answer by the settings of a run; by default any text but none at all and a short stock phrase. */
export function createPolicy({ policy, phrases }: TerminationTerms = STOCK): TerminationPolicy {
  const known = new Set(phrases.map(plainWords));
  return (text, tools) => {
    if (text.trim() === "") return NUDGE;
    if (policy === "any_text") return null;
    if (policy === FINISH && tools.includes(FINISH)) return FINISH_NUDGE;
    return isStockText(text, known) ? NUDGE : null;
  };
}

/** Whether a short text is nothing but stock phrases, one or several behind each other. */
function isStockText(text: string, own: ReadonlySet<string>): boolean {
  if (text.length >= MAX_STOCK_LENGTH) return false;
  const pieces = text
    .normalize("NFKC")
    .split(/[\p{P}\p{S}\s]+/u)
    .filter((piece) => piece !== "");
  // Whether the pieces before each place can be cut into phrases.
  const stock = [true];
  for (let end = 1; end <= pieces.length; end++)
    stock[end] = stock.some((isStock, start) => isStock && isPhrase(plainWords(pieces.slice(start, end).join(" ")), own));
  return pieces.length > 0 && stock[pieces.length] === true;
}

function isPhrase(words: string, own: ReadonlySet<string>): boolean {
  return own.has(words) || STOCK_PHRASES.some((phrase) => phrase.test(words));
}

/** Lower case, without punctuation; between Chinese characters without spaces. */
function plainWords(text: string): string {
  const words = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\p{P}\p{S}\s]+/gu, " ")
    .trim();
  return words.replace(/(?<=\p{sc=Han}) (?=\p{sc=Han})/gu, "");
}

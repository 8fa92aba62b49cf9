/** What counts as an answer: null where `text` is one, otherwise what the model is told so that it gives one. */
export type TerminationPolicy = (text: string) => string | null;

/** Longer texts say something, whatever they begin with. In UTF-16 code units. */
const MAX_STOCK_LENGTH = 100;

/** What models say instead of an answer, without punctuation and in lower case; the beginnings of whole texts. */
const STOCK_PHRASES: readonly RegExp[] = [
  /^(?:好的?|嗯|明白|收到|没问题|沒問題|当然|當然)*(?:我)?(?:已经|已經)?(?:明白|了解|知道|清楚|理解)了?$/u,
  /^(?:好的?|嗯|收到|明白了?|没问题|沒問題|当然可以|當然可以|可以)$/u,
  /^(?:好的?)?(?:我(?:将|將|会|會|来|來|现在|現在|马上|馬上|这就|這就)|让我|讓我)+(?:直接|开始|開始|来|來|为您|為您|为你|為你)*(?:回答|解答|答复|答覆|处理|處理|查找|搜索|查询|查詢|搜尋|查一下|看看|想一想|分析|帮您|幫您|帮你|幫你)/u,
  /^(?:ok|okay|sure|of course|certainly|got it|understood|i see|i understand|alright|all right)(?: (?:i understand|i see|got it|understood))?$/u,
  /^(?:(?:ok|okay|sure|of course|certainly|got it|understood|alright) )?(?:i will|i ll|i am going to|i m going to|let me|now i will) (?:now |just |directly )*(?:answer|respond|reply|help|look|search|check|think|find|start|begin|get|do)\b/u,
];

const NUDGE =
  "That is not an answer yet. Answer the question now, in its language: write the whole answer, or call the tool that you need for it.";

/** Takes any text for an answer, except none at all and a short stock phrase. */
export const anyText: TerminationPolicy = (text) => (text.trim() === "" || isStockPhrase(text) ? NUDGE : null);

function isStockPhrase(text: string): boolean {
  if (text.length >= MAX_STOCK_LENGTH) return false;
  const words = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\p{P}\p{S}\s]+/gu, " ")
    .trim();
  const joined = words.replace(/(?<=\p{sc=Han}) (?=\p{sc=Han})/gu, "");
  return STOCK_PHRASES.some((phrase) => phrase.test(joined));
}

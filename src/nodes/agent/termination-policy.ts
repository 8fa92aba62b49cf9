import type { TerminationTerms } from "../../domain/request.ts";

/** Returns null if `text` is an answer, otherwise the message to send to the model. */
export type TerminationPolicy = (text: string, tools: readonly string[]) => string | null;

/** Only texts shorter than this, in UTF-16 code units, can be stock phrases. */
const ANSWER_LENGTH = 100;

const anyOf = (words: string): string => `(?:${words.split(", ").join("|")})`;

const PARTICLES = anyOf(
  "一下, 直接, 开始, 開始, 马上, 馬上, 来, 來, 再, 先, 为, 為, 帮, 幫, 给, 給, 您, 你, 用户, 用戶, 的, 这个, 這個, 该, 該, 问题, 問題, 相关, 相關, 信息, 資訊, 资料, 資料, 吧, 了",
);
const I_WILL_ZH = `(?:我|让我|讓我)${anyOf("将, 將, 会, 會, 现在, 現在, 这就, 這就, 要")}*`;
const ANSWER_ZH = anyOf("回答, 解答, 答复, 答覆, 处理, 處理, 查找, 搜索, 查询, 查詢, 搜尋, 查, 看看, 想想, 分析, 帮忙, 幫忙, 思考");
const YES = anyOf("ok, okay, sure, of course, certainly, got it, understood, alright, now");
const I_WILL = `${anyOf("i will, i ll, i can, i am going to, i m going to, let me")}(?: ${anyOf("now, just, directly, try to")})*`;
const ANSWER = anyOf("answer, respond, reply, help, look, search, check, think, find, start, begin, proceed");
const REST = anyOf(
  "you, your, the, this, that, it, question, questions, directly, now, right, away, for, into, about, up, a, moment, information, answer, in, to, on, more, with, myself",
);

/** A word such as "sure" alone can be an answer. Next to a stock phrase it is not. */
const AGREEMENT = /^(?:好的?|嗯|没问题|沒問題|当然|當然|可以|ok|okay|sure|of course|certainly|alright|all right|thanks|thank you)+$/u;

/** Phrases that models write instead of an answer, lower case and without punctuation. */
const STOCK_PHRASES: readonly RegExp[] = [
  /^(?:好的?|嗯)*(?:收到|(?:我(?:已经|已經)?)?(?:明白|了解|理解)了?(?:(?:您|你)的(?:问题|問題|意思|需求))?|我?(?:知道|清楚)了)了?$/u,
  new RegExp(`^(?:好的?|嗯)?(?:接下来|接下來)?${I_WILL_ZH}${PARTICLES}*${ANSWER_ZH}${PARTICLES}*$`, "u"),
  /^(?:got it|understood|i see|i understand)$/u,
  new RegExp(`^(?:${YES} )*${I_WILL} ${ANSWER}(?: ${REST})*$`, "u"),
  // These patterns match the halves of "If tools are needed, I will call the appropriate tools".
  /^(?:如果|假如|若|如|当|當)我?不?有?需要?(?:(?:使用|调用|調用|借助)(?:任何|相关的|相關的)?工具)?(?:的话|的話|时|時)?$/u,
  /^我(?:会|會|将|將)(?:调用|調用|使用|呼叫)(?:相应|相應|相关|相關|合适|合適|对应|對應|适当|適當)的?工具$/u,
  /^(?:if|when) (?:needed|necessary|tools are needed|a tool is needed|i need (?:to use )?(?:a tool|tools))$/u,
  /^i (?:will|ll) (?:call|use) (?:them|(?:the )?(?:corresponding|appropriate|relevant|right) tools?)$/u,
];

const NUDGE =
  "That is not an answer yet. Answer the question now, in its language: write the whole answer, or call the tool that you need for it.";

const FINISH = "finish_task";
const FINISH_NUDGE = `This task ends with a call of ${FINISH}: call it with the whole answer, or call the tool that you need for it.`;
const STOCK: TerminationTerms = { policy: "stock_phrases", phrases: [] };

export function createPolicy({ policy, phrases }: TerminationTerms = STOCK): TerminationPolicy {
  const known = new Set(phrases.map(normalizeWords));
  return (text, tools) => {
    const answer = text.trim();
    if (answer === "") return NUDGE;
    if (policy === "any_text") return null;
    if (policy === FINISH && tools.includes(FINISH)) return FINISH_NUDGE;
    return isStockText(answer, known) ? NUDGE : null;
  };
}

function isStockText(text: string, own: ReadonlySet<string>): boolean {
  if (text.length >= ANSWER_LENGTH) return false;
  const pieces = text
    .normalize("NFKC")
    .split(/[\p{P}\p{S}\s]+/u)
    .filter((piece) => piece !== "" && !NUMBERING.test(piece));
  const before: ("nothing" | "agreement" | "phrases" | null)[] = ["nothing"];
  for (let end = 1; end <= pieces.length; end++) {
    const kinds = before.map((kind, start) => kind !== null && kindOf(normalizeWords(pieces.slice(start, end).join(" ")), kind, own));
    before[end] = kinds.includes("phrases") ? "phrases" : kinds.includes("agreement") ? "agreement" : null;
  }
  return before[pieces.length] === "phrases";
}

const NUMBERING = /^[1-9]$/;

function kindOf(words: string, before: "nothing" | "agreement" | "phrases", own: ReadonlySet<string>): "agreement" | "phrases" | false {
  if (own.has(words) || STOCK_PHRASES.some((phrase) => phrase.test(words))) return "phrases";
  return AGREEMENT.test(words) && (before === "phrases" ? "phrases" : "agreement");
}

function normalizeWords(text: string): string {
  const words = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\p{P}\p{S}\s]+/gu, " ")
    .trim();
  return words.replace(/(?<=\p{sc=Han}) (?=\p{sc=Han})/gu, "");
}

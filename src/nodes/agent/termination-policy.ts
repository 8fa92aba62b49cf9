import type { TerminationTerms } from "../../domain/task.ts";

/** Returns null if `text` is an answer, otherwise the message to send to the model. */
type TerminationPolicy = (text: string, tools: readonly string[]) => string | null;

/** Only texts shorter than this, in UTF-16 code units, are searched for stock phrases. */
export const ANSWER_LENGTH = 100;

/** Phrases that models write instead of an answer. */
const STOCK_PHRASES = ["好的，我明白了", "我会直接回答", "如果需要使用工具", "I will answer directly", "if tools are needed"];

const NUDGE =
  "That is not an answer yet. Answer the question now, in its language: write the whole answer, or call the tool that you need for it.";

const FINISH = "finish_task";
const FINISH_NUDGE = `This task ends with a call of ${FINISH}: call it with the whole answer, or call the tool that you need for it.`;
const STOCK: TerminationTerms = { policy: "stock_phrases", phrases: [] };

export function createPolicy({ policy, phrases }: TerminationTerms = STOCK): TerminationPolicy {
  const known = [...STOCK_PHRASES, ...phrases].map(wordsOf);
  return (text, tools) => {
    const answer = text.trim();
    if (answer === "") return NUDGE;
    if (policy === "any_text") return null;
    if (policy === FINISH && tools.includes(FINISH)) return FINISH_NUDGE;
    if (answer.length >= ANSWER_LENGTH) return null;
    const words = wordsOf(answer);
    return known.some((phrase) => words.includes(phrase)) ? NUDGE : null;
  };
}

/** Returns the words between spaces, in lower case and without punctuation. A letter of a script without spaces is a word of its own. */
function wordsOf(text: string): string {
  const words = text.normalize("NFKC").toLowerCase();
  return ` ${Array.from(words.matchAll(/[\p{sc=Latin}\p{N}]+|\p{L}/gu)).join(" ")} `;
}

import type { Task } from "../../../domain/request.ts";
import { resolveLanguage } from "../../../ranking/language.ts";

const ENGLISH = "*This answer is incomplete: it was cut off at the length limit of the model (MODEL_MAX_OUTPUT_TOKENS).*";
const CHINESE = "*此回答不完整：已达到模型的长度上限（MODEL_MAX_OUTPUT_TOKENS）。*";

/** Of an answer that ends at its length limit. */
export const CUT_DETAIL = "the answer was cut off at its length limit";

/** What readers of such an answer are told below it, as Markdown. */
export function withCutNote(markdown: string, { language, question }: Pick<Task, "language" | "question">): string {
  const note = resolveLanguage(language, question).toLowerCase().startsWith("zh") ? CHINESE : ENGLISH;
  return `${markdown.trimEnd()}\n\n${note}`;
}

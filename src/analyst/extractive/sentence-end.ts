/** Quotation marks, brackets and marks of emphasis that may stand after the end of a sentence. */
const CLOSERS = String.raw`["'”’」』»)）\]*_\s]*$`;
const QUESTION_END = new RegExp(`[?？؟]${CLOSERS}`);
const COMPLETE_END = new RegExp(String.raw`(?:[!！。．｡；;।]|(?<![.…])\.)${CLOSERS}`);

/** Whether a sentence asks something. */
export function isQuestion(text: string): boolean {
  return QUESTION_END.test(text);
}

/** Whether a sentence has come to its end, by its mark; an ellipsis and a colon say that something is to come. */
export function isComplete(text: string): boolean {
  return COMPLETE_END.test(text);
}

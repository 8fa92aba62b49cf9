import { normalizeText } from "./normalize-text.ts";
import { withoutUnspacedStopWords } from "./query-terms.ts";
import { STOP_TERMS } from "./stop-words.ts";
import { tokenise } from "./tokenise.ts";

const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー`;
const RUN = new RegExp(String.raw`[${UNSPACED}]+|[\p{L}\p{N}][[\p{L}\p{N}\p{M}'’._+#&\/\-]--[${UNSPACED}]]*`, "gv");
const UNSPACED_START = new RegExp(`^[${UNSPACED}]`, "v");

/**
 * The words of a question that a search engine should look for, each once, as the question spells them, in reading
 * order: without stop words, question words and punctuation. Chinese and Japanese stay in runs, which search engines cut
 * better than spaces do. All words where nothing else is left.
 */
export function keywords(question: string): string[] {
  const words = (normalizeText(question).match(RUN) ?? []).flatMap((run) =>
    UNSPACED_START.test(run)
      ? withoutUnspacedStopWords(run)
          .split(/\s+/)
          .filter((word) => word !== "")
      : [run.replace(/[^\p{L}\p{N}\p{M}+#]+$/u, "")],
  );
  const telling = words.filter((word) => UNSPACED_START.test(word) || tokenise(word).some((term) => !STOP_TERMS.has(term)));
  return [...new Set(telling.length > 0 ? telling : words)];
}

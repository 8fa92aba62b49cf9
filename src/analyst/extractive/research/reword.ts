import { readQuestion } from "../question.ts";
import { isName } from "./subject-terms.ts";

/** Words below this only frame a question. */
const TELLING_WEIGHT = 0.5;
/** So many words beside the names are kept of a question that is asked more broadly. */
const WORDS_BESIDE_NAMES = 1;

/** What the question names, without what frames it; null where that leaves nothing, or nothing else than the question. */
export function withoutScaffolding(question: string): string | null {
  const words = readQuestion(question).concepts.filter(({ weight }) => weight >= TELLING_WEIGHT);
  return unlessEqual(joined(words.map(({ surface }) => surface)), question);
}

/** Its names and figures with one word more, or the first half of its words where it has no names; null like `withoutScaffolding`. */
export function broader(question: string): string | null {
  const words = readQuestion(question).concepts.filter(({ weight }) => weight >= TELLING_WEIGHT);
  const kept = words.filter((word) => isName(word) || /\p{N}/u.test(word.surface));
  const beside = words.filter((word) => !kept.includes(word)).slice(0, kept.length > 0 ? WORDS_BESIDE_NAMES : Math.ceil(words.length / 2));
  return unlessEqual(joined(words.filter((word) => kept.includes(word) || beside.includes(word)).map(({ surface }) => surface)), question);
}

/** Two names side by side would be read as one that nobody has asked for. */
function joined(surfaces: readonly string[]): string {
  return surfaces.join(" ").length === 0 ? "" : surfaces.reduce((text, one) => `${text}${/^\p{Lu}/u.test(one) ? "," : ""} ${one}`);
}

function unlessEqual(words: string, question: string): string | null {
  const plain = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]+/gu, "").toLowerCase();
  return words === "" || plain(words) === plain(question) ? null : words;
}

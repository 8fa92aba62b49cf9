import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Makes `count` different questions about headings and table rows, spread evenly over the Markdown files in `folder`. */
export async function questionsAbout(folder: string, count: number): Promise<string[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(".md")).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  const questions = [...new Set(texts.flatMap(questionsIn))];
  if (questions.length < count)
    throw new Error(`${folder} has headings and table rows for only ${questions.length} of ${count} questions.`);
  return Array.from({ length: count }, (_, i) => questions[Math.floor((i * questions.length) / count)] ?? "");
}

function questionsIn(text: string): string[] {
  return text.split("\n").flatMap((line) => {
    const subject = /^#{2,4} (.+)$/.exec(line)?.[1] ?? /^\| `([^`|]+)`[^|]*\|/.exec(line)?.[1];
    if (subject === undefined) return [];
    return [/\p{sc=Han}/u.test(subject) ? `文档中关于“${subject}”是怎么说明的？` : `What does the documentation say about ${subject}?`];
  });
}

const LONG_TEXTS = 12;
const LONG_TEXT_LENGTH = 400_000;

/** Makes twelve texts of about 400,000 characters from the words of `text`, each in a different order. Returns them by file name. */
export function longTexts(text: string): Map<string, string> {
  const words = text.split(/\s+/).filter((word) => /^[\p{L}\p{N}'-]+[.,]?$/u.test(word));
  const names = Array.from({ length: LONG_TEXTS }, (_, i) => `long-${i}.md`);
  return new Map(names.map((name, i) => [name, `# Long text ${i}\n\n${shuffledText(words, i + 1)}\n`]));
}

function shuffledText(words: readonly string[], seed: number): string {
  let state = seed;
  let text = "";
  for (let count = 1; text.length < LONG_TEXT_LENGTH; count += 1) {
    // A linear congruential generator with the constants of Numerical Recipes.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += `${words[state % words.length]}${count % 80 === 0 ? ".\n\n" : count % 16 === 0 ? ". " : " "}`;
  }
  return text;
}

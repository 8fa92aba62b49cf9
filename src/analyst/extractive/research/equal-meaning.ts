import { tokenise } from "../../../ranking/tokenise.ts";

/** Words that change nothing of what is asked. */
const SILENT: ReadonlySet<string> = new Set(["the", "a", "an", "pleas", "exact", "me", "tell", "also", "then", "and", "so", "do you know"]);
/** Forms of one tense: "did it open", "was it opened". The present asks for something else. */
const TENSES: Readonly<Record<string, string>> = {
  was: "PAST",
  were: "PAST",
  did: "PAST",
  is: "NOW",
  are: "NOW",
  am: "NOW",
  do: "NOW",
  doe: "NOW",
};
const CHINESE_SILENT = /请问|请|麻烦|告诉我|我想知道|一下|的|了|呢|吗|啊|呀/gu;
const CHINESE_EQUAL: readonly (readonly [RegExp, string])[] = [
  [/什么时候|什么时间|何时|几时/gu, "何时"],
  [/哪一年|哪年|何年/gu, "哪年"],
  [/由谁|是谁/gu, "谁"],
  [/哪里|哪儿|何处|什么地方/gu, "哪里"],
  [/是(?=何时|哪年|多少)/gu, ""],
];

/**
 * A question in a form that two questions share only if they ask the same in the same words: in their order, since who beat whom hangs on
 * it; stemmed, with their tense, figures, names and question words.
 */
export function meaningOf(question: string): string {
  const plain = question.normalize("NFKC").replaceAll(/[’']s\s+(?=the|a|it)/gu, " is ");
  if (/\p{sc=Han}/u.test(plain)) return chineseMeaning(plain);
  return words(plain)
    .map((word) => TENSES[word] ?? word)
    .filter((word) => !SILENT.has(word))
    .join(" ");
}

function words(text: string): string[] {
  return (text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’.,-]*/gu) ?? []).map((word) => {
    const [token] = tokenise(word);
    return token ?? word.toLowerCase();
  });
}

function chineseMeaning(text: string): string {
  const equal = CHINESE_EQUAL.reduce((rest, [form, one]) => rest.replaceAll(form, one), text);
  return equal
    .replaceAll(CHINESE_SILENT, "")
    .replaceAll(/[^\p{L}\p{N}.]+/gu, " ")
    .trim()
    .toLowerCase();
}

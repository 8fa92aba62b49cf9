import type { Problem } from "../api/problem.ts";
import { fill, type Language } from "../i18n/words.ts";
import { fieldWords, problemWords } from "./problem-words.ts";

export interface SaidProblem {
  readonly line: string;
  /** One for each field that is wrong. */
  readonly fields: readonly string[];
  /** The server's own sentence, in English, with its code; null if the line is that. */
  readonly original: string | null;
}

type Said = Pick<Problem, "code" | "message"> & { readonly faults?: Problem["faults"] };

/** Says what the stable code of a problem means. A code of a later version has the server's own sentence. @param names of the files that were sent, in their order */
export function sayProblem({ code, message, faults = [] }: Said, language: Language, names: readonly string[] = []): SaidProblem {
  const line = sayCode(code, language);
  const fields = [...new Set(faults.map((fault) => sayFault(fault, language, names)))].filter((field) => field !== "");
  return { line: line ?? message, fields, original: line === null ? null : `${message} (${code})` };
}

/** Returns null for a code of a later version. */
export function sayCode(code: string, language: Language): string | null {
  return Object.hasOwn(problemWords.en, code) ? fill(problemWords, language, code as keyof (typeof problemWords)["en"]) : null;
}

function sayFault({ path, message, limit }: Problem["faults"][number], language: Language, names: readonly string[]): string {
  const field = sayField(path, language, names);
  const bound = limit === undefined ? null : fill(fieldWords, language, "atMost", { limit });
  // The line says of a file what is wrong with it.
  const what = path.startsWith("/documents/") ? null : (bound ?? (language === "en" ? message : null));
  return [field, what].filter((part) => part !== null).join(language === "zh" ? "：" : ": ");
}

/** Returns the name of the field that a JSON pointer leads to; null for one that no form has. */
function sayField(path: string, language: Language, names: readonly string[]): string | null {
  const [first = "", second = "", third = ""] = path.split("/").slice(1);
  if (first === "documents" && names[Number(second)] !== undefined) return names[Number(second)] ?? null;
  const key = keyOf(first, second, third);
  if (!Object.hasOwn(fieldWords.en, key)) return null;
  return fill(fieldWords, language, key as keyof (typeof fieldWords)["en"], { number: Number(key === "todo" ? third : second) + 1 });
}

function keyOf(first: string, second: string, third: string): string {
  if (first === "limits" && second !== "") return second;
  if (first === "queries" && second !== "") return "query";
  return first === "plan" && second === "todos" && third !== "" ? "todo" : first;
}

import { createHash } from "node:crypto";
import { SYSTEM_CONTEXT } from "./roles.ts";

export interface TemplateFault {
  readonly line: number;
  readonly message: string;
}

const MAX_LENGTH = 100_000;
const MAX_SHOWN = 60;
/** Also what Mustache calls a section, a partial or a comment: a prompt must be readable from its file alone. */
const TAG = /(\{{2,})([^{}]*)(\}*)/g;

/** A template of somebody else may lack placeholders, see `completeTemplate`. `known`: those that it may have. */
export function checkTemplate(text: string, known: readonly string[]): TemplateFault[] {
  if (text.trim() === "") return [{ line: 1, message: "it is empty" }];
  if (text.length > MAX_LENGTH) return [{ line: 1, message: `it has more than ${MAX_LENGTH} characters` }];
  const list = known.map((one) => `{{${one}}}`).join(", ");
  return [...text.matchAll(TAG)].flatMap((tag) => {
    const [shown, opening, , closing = ""] = tag;
    if (opening === "{{" && closing.length >= 2 && known.includes(nameOf(tag))) return [];
    const message = `${shown.slice(0, MAX_SHOWN).toWellFormed()} is not known here. There are: ${list}`;
    return [{ line: text.slice(0, tag.index).split("\n").length, message }];
  });
}

const nameOf = (tag: RegExpExecArray): string => (tag[2] ?? "").trim();

const APPENDED: Readonly<Record<string, string>> = {
  language: "Language: write in {{language}}.",
  today: "Today is {{today}}.",
  form: "Answer with one JSON object of this form and nothing else:\n{{form}}",
  [SYSTEM_CONTEXT]: `{{${SYSTEM_CONTEXT}}}`,
};

/** Appends the placeholders that the template lacks, because its role cannot do without their values. */
export function completeTemplate(template: string, wanted: readonly string[]) {
  const found = [...template.matchAll(TAG)].map(nameOf);
  const appended = wanted.filter((name) => !found.includes(name));
  const text = [template.trim(), ...appended.map((name) => APPENDED[name] ?? `${name}:\n{{${name}}}`)].join("\n\n");
  return { text, sha256: createHash("sha256").update(text, "utf8").digest("hex"), appended };
}

import { createHash } from "node:crypto";
import { SYSTEM_CONTEXT } from "./roles.ts";

export interface TemplateFault {
  readonly line: number;
  readonly message: string;
}

const MAX_LENGTH = 100_000;
const TAG = /(\{{2,})([^{}]*)(\}*)/g;
const NAME = /^[a-zA-Z]\w*$/;

/** These Mustache tags are not allowed, because a prompt must be readable from its file alone. */
const OTHER_TAGS: Readonly<Record<string, string>> = {
  "#": "a section",
  "^": "a section",
  "/": "the end of a section",
  "!": "a comment",
  ">": "a partial",
  "&": "a placeholder without escaping",
  "=": "a change of delimiters",
};

/** A template of somebody else may lack placeholders, see `completeTemplate`. `known`: those that it may have. */
export function checkTemplate(text: string, known: readonly string[]): TemplateFault[] {
  if (text.trim() === "") return [{ line: 1, message: "it is empty" }];
  if (text.length > MAX_LENGTH) return [{ line: 1, message: `it has more than ${MAX_LENGTH} characters` }];
  return [...text.matchAll(TAG)].flatMap((tag) => {
    const message = tagFault(tag, nameOf(tag), known);
    return message === null ? [] : [{ line: lineOf(text, tag.index), message }];
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

function tagFault([tag, opening = "", , closing = ""]: RegExpExecArray, name: string, wanted: readonly string[]): string | null {
  const list = wanted.map((one) => `{{${one}}}`).join(", ");
  const shown = tag.length > 60 ? `${tag.slice(0, 60).toWellFormed()}…` : tag;
  if (opening.length > 2) return `${shown} has too many braces; write two, as nothing is escaped here. There are: ${list}`;
  if (closing.length < 2) return `${shown} is not closed; a placeholder is a name in two braces. There are: ${list}`;
  const other = OTHER_TAGS[name[0] ?? ""];
  if (other !== undefined) return `${shown} is ${other}; a prompt can contain only placeholders. There are: ${list}`;
  if (!NAME.test(name)) return `${shown} is not a placeholder; a placeholder is a name in two braces. There are: ${list}`;
  return wanted.includes(name) ? null : `{{${name}}} is not known here. There are: ${list}`;
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** What is wrong with a file of prompts, and where; lines count from 1. */
export interface PromptFault {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** A fault within a text. */
type TextFault = Pick<PromptFault, "line" | "message">;

const MAX_LENGTH = 100_000;
/** From two braces on, as far as they are closed again. */
const TAG = /(\{{2,})([^{}]*)(\}*)/g;
const NAME = /^[a-zA-Z]\w*$/;

/** What mustache can do beyond placeholders; a prompt whose wording depends on its values could not be read by its file alone. */
const OTHER_TAGS: Readonly<Record<string, string>> = {
  "#": "a section",
  "^": "a section",
  "/": "the end of a section",
  "!": "a comment",
  ">": "a partial",
  "&": "a placeholder without escaping",
  "=": "a change of delimiters",
};

/** What keeps `text` from being the template with just these placeholders, in the order of its lines; nothing where it is one. */
export function checkTemplate(text: string, wanted: readonly string[]): TextFault[] {
  if (text.trim() === "") return [{ line: 1, message: "the file is empty" }];
  if (text.length > MAX_LENGTH) return [{ line: 1, message: `the file has more than ${MAX_LENGTH} characters` }];
  const found = new Set<string>();
  const faults: TextFault[] = [];
  for (const { 0: tag, 1: opening = "", 2: inside = "", 3: closing = "", index } of text.matchAll(TAG)) {
    const name = inside.trim();
    const message = faultOf({ tag, opening, name, closing }, wanted);
    if (message !== null) faults.push({ line: lineOf(text, index), message });
    found.add(name);
  }
  const last = lineOf(text, text.trimEnd().length);
  const missing = wanted.filter((name) => !found.has(name)).map((name) => ({ line: last, message: `{{${name}}} is missing` }));
  return [...faults, ...missing];
}

interface Tag {
  readonly tag: string;
  readonly opening: string;
  readonly name: string;
  readonly closing: string;
}

function faultOf({ tag, opening, name, closing }: Tag, wanted: readonly string[]): string | null {
  const list = wanted.map((one) => `{{${one}}}`).join(", ");
  const shown = tag.length > 60 ? `${tag.slice(0, 60).toWellFormed()}…` : tag;
  if (opening.length > 2) return `${shown} has too many braces; nothing is escaped here, two are enough. There are: ${list}`;
  if (closing.length < 2) return `${shown} is not closed; a placeholder is a name in two braces. There are: ${list}`;
  const other = OTHER_TAGS[name[0] ?? ""];
  if (other !== undefined) return `${shown} is ${other}; a prompt has placeholders alone. There are: ${list}`;
  if (!NAME.test(name)) return `${shown} is no placeholder, which is a name in two braces. There are: ${list}`;
  return wanted.includes(name) ? null : `{{${name}}} is not known here. There are: ${list}`;
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

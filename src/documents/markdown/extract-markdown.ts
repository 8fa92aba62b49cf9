import type { Draft } from "../draft.ts";
import { extractText } from "../extract-text.ts";
import { normaliseDate } from "../normalise-date.ts";
import { markdownBlocks } from "./markdown-blocks.ts";
import { splitMarkdown } from "./split-markdown.ts";

/** Markdown (GFM) as plain blocks; metadata from front matter, the title otherwise from the first heading. */
export function extractMarkdown(text: string): Draft {
  const { fields, body } = splitFrontMatter(text);
  const drafts = splitMarkdown(body).flatMap((part) => (part.plain ? extractText(part.text).drafts : markdownBlocks(part.text)));
  const headings = drafts.filter((draft) => draft.kind === "heading");
  const heading = headings.find((draft) => draft.level === 1) ?? headings[0];
  return {
    drafts,
    title: field(fields, ["title"]) ?? heading?.text ?? null,
    language: field(fields, ["lang", "language", "locale"]),
    publishedAt: publishedAt(fields),
    author: field(fields, ["author", "authors", "by"]),
  };
}

interface FrontMatter {
  readonly fields: ReadonlyMap<string, string>;
  /** The text behind it. */
  readonly body: string;
}

const FENCED = /^---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;
const MAX_LENGTH = 20_000;
const FIELD = /^([A-Za-z][\w-]*)[ \t]*:[ \t]*(\S.*)$/;

/**
 * The plain `key: value` lines between the leading `---` lines of a Markdown file; keys in lower case. Not a YAML parser:
 * nested values and lists over several lines are passed over.
 */
function splitFrontMatter(text: string): FrontMatter {
  const match = FENCED.exec(text.slice(0, MAX_LENGTH));
  const lines = match?.[1]?.split(/\r?\n/) ?? [];
  // A thematic break at the top of a text is no front matter: every line has to look like YAML.
  if (!match || !lines.every((line) => /^\s*(?:#.*)?$|^[A-Za-z][\w-]*[ \t]*:|^\s+\S|^\s*-\s/.test(line)))
    return { fields: new Map(), body: text };
  const fields = new Map<string, string>();
  for (const line of lines) {
    const [, key = "", value = ""] = FIELD.exec(line) ?? [];
    if (key !== "") fields.set(key.toLowerCase(), unquote(value.trim()));
  }
  return { fields, body: text.slice(match[0].length) };
}

function unquote(value: string): string {
  const quoted = /^(["'])(.*)\1(?:\s+#.*)?$/.exec(value);
  if (quoted) return quoted[2] ?? "";
  const list = /^\[(.*)\]$/.exec(value);
  if (list)
    return (list[1] ?? "")
      .split(",")
      .map((item) => unquote(item.trim()))
      .join(", ");
  return value.replace(/\s+#.*$/, "");
}

/** The first of `keys` that has a value. */
function field(fields: ReadonlyMap<string, string>, keys: readonly string[]): string | null {
  return keys.map((key) => fields.get(key)).find((value) => value !== undefined && value !== "") ?? null;
}

/** The date of publication, where one of the usual keys holds a date. */
function publishedAt(fields: ReadonlyMap<string, string>): string | null {
  return normaliseDate(field(fields, ["date", "published", "publishedat", "published_at", "pubdate", "created"]));
}

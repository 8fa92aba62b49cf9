import type { Draft } from "../draft.ts";
import { extractText } from "../extract-text.ts";
import { field, publishedAt, splitFrontMatter } from "./front-matter.ts";
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

import type { ExtractedDocument } from "../../domain/document.ts";
import { tokenize } from "../../ranking/tokenize.ts";
import { splitSections } from "./sections.ts";

export interface FileTerms {
  readonly title: readonly string[];
  readonly sections: readonly { readonly text: string; readonly terms: readonly string[] }[];
}

/** Call it before the transaction: a long text takes seconds, in which other writes would wait. */
export function fileTerms(document: ExtractedDocument | null): FileTerms {
  if (document === null) return { title: [], sections: [] };
  const sections = splitSections(document).map(({ start, end, headings }) => {
    const text = document.text.slice(start, end);
    return { text, terms: tokenize(withoutTitle(document.title, headings, text)) };
  });
  return { title: tokenize(document.title), sections };
}

function withoutTitle(title: string, headings: readonly string[], text: string): string {
  const body = text.startsWith(title) ? text.slice(title.length) : text;
  return [...headings.filter((heading) => heading !== title), body].join("\n");
}

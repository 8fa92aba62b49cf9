import { responseError, wallError } from "../../src/documents/web-reader.ts";
import { isRetractedType, personName, toHits } from "../../src/tools/shared/hits.ts";
import { plainText, rowText } from "../../src/tools/shared/text.ts";

const page = (text: string) => ({
  url: "https://news.example/",
  status: 200,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: new TextEncoder().encode(text),
});
const FINDER = { kind: "scholar", foundBy: "test" } as const;
const URL = "https://example.org/";

type Subject = readonly [name: string, look: (text: string) => unknown];

/** The functions that read a page as a whole. */
export const JUDGMENTS: readonly Subject[] = [
  ["a failed answer is judged", (text) => responseError({ ...page(text), status: 503 })],
  ["a page is judged", (text) => wallError(page(text), "")],
];

/** The functions that read single fields, which servers fill. */
export const READINGS: readonly Subject[] = [
  ["a field is read as plain text", plainText],
  ["a name is read", (text) => personName(text, text, text)],
  ["a type is searched for a retraction", isRetractedType],
  ["rows are made a text", (text) => rowText([text])],
  ["a work becomes a hit", (text) => toHits(FINDER, { title: text, url: URL, snippet: text, authors: [text], venue: text })],
  ["the ids of a work are read", (text) => toHits(FINDER, { title: "A lamp", url: URL, doi: text, arxivId: text, pmid: text })],
  ["the date and licence of a work are read", (text) => toHits(FINDER, { title: "A lamp", url: URL, licence: text, publishedAt: text })],
];

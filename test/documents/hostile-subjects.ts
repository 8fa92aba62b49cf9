import * as signs from "../../src/documents/block-page-patterns.ts";
import { partialTextError, responseError, roughText } from "../../src/documents/web-reader.ts";
import {
  calendarDate,
  isRetractedTitle,
  isRetractedType,
  normalizeArxivId,
  normalizeDoi,
  personName,
  publicationHits,
  webHit,
} from "../../src/tools/shared/hits.ts";
import { plainText, rowText } from "../../src/tools/shared/text.ts";

const page = (text: string) => ({
  url: "https://news.example/",
  status: 200,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: new TextEncoder().encode(text),
});
const WORK = { kind: "scholar", foundBy: "test", title: "", url: "https://example.org/", snippet: "" } as const;
const PAGE = { foundBy: "test", title: "", url: "https://example.org/", snippet: "" };

type Subject = readonly [name: string, look: (text: string) => unknown];

/** Every pattern that recognizes block pages. */
export const SIGNS: readonly Subject[] = Object.entries(signs).flatMap(([name, found]) =>
  [found].flat().map((sign, i): Subject => [`${name} ${i}`, (text) => sign.test(text)]),
);

/** The functions that read a page as a whole. */
export const JUDGMENTS: readonly Subject[] = [
  ["an answer is judged", (text) => responseError(page(text))],
  ["a script is judged", (text) => partialTextError(page(`<script>${text}</script>`), "")],
  ["a text is judged", (text) => partialTextError(page(text), "")],
];

/** The functions that read single fields, which servers fill. */
export const READINGS: readonly Subject[] = [
  ["the text that a page shows is read", roughText],
  ["a field is read as plain text", plainText],
  ["a date is read", calendarDate],
  ["a name is read", (text) => personName(text, text, text)],
  ["a DOI is read", normalizeDoi],
  ["an id of arXiv is read", normalizeArxivId],
  ["a title is searched for a retraction", isRetractedTitle],
  ["a type is searched for a retraction", isRetractedType],
  ["rows are made a text", (text) => rowText([text])],
  ["a page becomes a hit", (text) => webHit({ ...PAGE, title: text, snippet: text })],
  [
    "a work becomes a hit",
    (text) =>
      publicationHits({ ...WORK, title: text, snippet: text, pmid: text, licence: text, doi: text, publishedAt: text, authors: [text] }),
  ],
];

import { expect, it } from "vitest";
import * as signs from "../../src/documents/wall-signs.ts";
import { judgeAnswer, judgeText, roughText } from "../../src/documents/web-reader.ts";
import {
  calendarDate,
  isRetractedTitle,
  isRetractedType,
  normalizeArxivId,
  normalizeDoi,
  personName,
  publicationHits,
  webHit,
} from "../../src/tools/services/hits.ts";
import { plainText, rowText } from "../../src/tools/services/text.ts";

const LENGTH = 300_000;
/** Generous: what is linear takes a few milliseconds, what was not took 20 seconds. */
const MAX_MS = 5_000;

/** Beginnings of what the patterns look for, each of which may then wait for its end. */
const BEGINNINGS = [
  "",
  "isAccessibleForFree",
  '"isAccessibleForFree"',
  'isAccessibleForFree" content',
  "isAccessibleForFree:",
  '"@type"',
  '"@type":',
  "<input type",
  "<input type=",
  "<title>",
  "<h1>",
  '<a b="',
  "<a b=",
  "<a",
  "<sub",
  "property=",
  "window._cf_chl_opt",
  "/cdn-cgi/challenge-platform/",
  "/_Incapsula_Resource?",
  ".awswaf.com/",
  'id="nocaptcha"',
  "subscribe",
  "to continue reading",
  "this article is",
  "you don't have permission to access",
  "verify that you",
  "404",
  "page",
  "请",
  "还有",
  "登录",
  "环境异常",
  "before you continue to",
  "10.1234/",
  "10.48550/arXiv.",
  "https://arxiv.org/abs/",
  "arxiv:",
  "cc",
  "2021-03",
  "2021 年",
  "Mon,",
  "March",
  "5",
  "retracted",
  "(retracted",
  "[Retracted]",
  "&#",
  "&#x",
  "&a",
];
const FILLINGS = [
  " ",
  "\n",
  '"',
  "'",
  "<",
  ">",
  "=",
  ".",
  ";",
  "!",
  "a",
  "1",
  "v1",
  "a=b ",
  "(",
  "[",
  ")",
  "/",
  "登录",
  "　",
  "&",
  "%2F",
  "\0",
];

const hostile = (fillings: readonly string[]) =>
  BEGINNINGS.flatMap((start) => [
    ...fillings.map((filling) => `${start}${filling.repeat(LENGTH / filling.length)}x`),
    `${start} `.repeat(LENGTH / (start.length + 1)),
  ]);
const HOSTILE = hostile(FILLINGS);
/** For what takes milliseconds for any page. */
const FEWER = hostile([" ", '"']);

function slowest(look: (text: string) => unknown, texts = HOSTILE): { readonly ms: number; readonly text: string } {
  let worst = { ms: 0, text: "" };
  for (const text of texts) {
    const before = process.cpuUsage();
    look(text);
    const ms = process.cpuUsage(before).user / 1_000;
    if (ms > worst.ms) worst = { ms, text: text.slice(0, 60) };
  }
  return worst;
}

it.each(Object.entries(signs).flatMap(([name, found]) => [found].flat().map((sign, i) => [`${name} ${i}`, sign] as const)))(
  "the sign %s takes no longer for a text that is built to be slow",
  { timeout: 120_000 },
  (_, sign) => {
    const { ms, text } = slowest((each) => sign.test(each));
    expect(ms, text).toBeLessThan(MAX_MS);
  },
);

const page = (text: string) => ({
  url: "https://news.example/",
  status: 200,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: new TextEncoder().encode(text),
});
const WORK = { kind: "scholar", foundBy: "test", title: "", url: "https://example.org/", snippet: "" } as const;
const PAGE = { foundBy: "test", title: "", url: "https://example.org/", snippet: "" };

it.each<readonly [string, (text: string) => unknown]>([
  ["an answer is judged", (text) => judgeAnswer(page(text))],
  ["a script is judged", (text) => judgeText(page(`<script>${text}</script>`), "")],
  ["a text is judged", (text) => judgeText(page(text), "")],
])("takes no longer for a page that is built to be slow where %s", { timeout: 120_000 }, (_, look) => {
  const { ms, text } = slowest(look, FEWER);
  expect(ms, text).toBeLessThan(MAX_MS);
});

it.each<readonly [string, (text: string) => unknown]>([
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
])("takes no longer for a text that is built to be slow where %s", { timeout: 120_000 }, (_, look) => {
  const { ms, text } = slowest(look);
  expect(ms, text).toBeLessThan(MAX_MS);
});

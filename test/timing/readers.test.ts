import { it } from "vitest";
import { shrinkHtml } from "../../src/documents/html/shrink-html.ts";
import { figuresOf, statesFigure } from "../../src/evidence/stated-amounts.ts";
import { takeNamedSources } from "../../src/writing/named-sources.ts";
import { readOutline } from "../../src/writing/text-roles.ts";
import { patternOf } from "../../web/src/views/read/find-in-text.ts";
import { cutText } from "../../web/src/views/read/text-window.ts";
import { draftBlocks } from "../../web/src/views/run/draft-blocks.ts";
import { expectLinear } from "../helpers/expect-linear.ts";
import { expectProportional } from "./hostile-texts.ts";

const LINKS = [1, 2, 3, 4].map((number) => ({
  id: `L${number}`,
  text: `Link ${number}`,
  url: `https://example.org/${number}`,
  sourceId: "S",
}));

const READERS: readonly (readonly [name: string, work: (size: number) => unknown, size: number])[] = [
  ["a draft", (size) => draftBlocks("| a |\n- b\nc\n".repeat(size)), 2_000],
  ["a text that is shown in parts", (size) => cutText("x".repeat(size), null), 1_000_000],
  ["a search in a document", (size) => [..."a   ".repeat(size / 4).matchAll(patternOf("a a a a b")!)], 100_000],
  ["an amount in a text", (size) => statesFigure("2,2.2 ".repeat(size), figuresOf("It costs $2.", [])[0]!), 20_000],
  ["sources that a model names", (size) => takeNamedSources(`SOURCES: ${"L1, ".repeat(30)}x\n`.repeat(size), LINKS), 400],
  ["marks before named sources", (size) => takeNamedSources(`${" *_#>-".repeat(size)}SOURCES:`, LINKS), 4_000],
  ["an outline", (size) => readOutline("## A\nNOTES: P1-\n".repeat(size), 8), 4_000],
  ["an outline of one heading", (size) => readOutline(`## ${"#*".repeat(size)}\nNOTES: ${"P1–".repeat(size)}`, 8), 4_000],
];

it.each(READERS)("%s is read in linear time", (_, work, size) => {
  expectLinear((times) => void work(times), size);
});

it.each(['<a "', "<a b='", "<!--", "<", "<script>", "<svg ", "<span>", "<a =", "</a"])("a page of %s is shrunk in linear time", (mark) => {
  expectProportional(shrinkHtml, mark.repeat(25_000), mark.repeat(200_000));
});

import { expect, it } from "vitest";
import { stripBracketedNumbers } from "../../src/evidence/citation-markers.ts";
import { createCitedStream, readCitedText } from "../../src/evidence/cited-text.ts";
import { readClosingLines } from "../../src/evidence/closing-lines.ts";
import { missingFigures } from "../../src/evidence/figures/check-figures.ts";
import { OutputFilter } from "../../src/evidence/output-filter.ts";
import { createQuoteLocator } from "../../src/evidence/quote-location.ts";
import { createOutputFilter, markMarkdown } from "../../src/evidence/sanitize-output.ts";
import { unknownHosts } from "../../src/evidence/unknown-references.ts";
import { evidenceOf, passages } from "../evidence/evidence-of.ts";
import { expectLinear } from "../helpers/expect-linear.ts";

const EVIDENCE = passages(
  "The tower is 90 metres tall. It was “built in 1931” by O'Brien [sic] & Sons, see note (b).",
  "这座灯塔高九十米，一九三一年由当地工匠建成。",
);

/** Units of a text, of which each is repeated. */
const UNITS = [
  ...[
    '[P1: "',
    'A. [P1: "nowhere to be found"] ',
    "[P1](",
    "word ",
    "没有句号的文字",
    "| a | b |\n",
    "# h\n",
    "```\n",
    "**",
    "*a ",
    "**中",
  ],
  ...["a* *", "- [", '"]', "[12] ", '[1: "', "[^a", "`[1", "~~a ", "~~a~~ [P1] ", "<s>a "],
];

it.each(UNITS)("a cited text of %j, whole and streamed", (unit) => {
  expectLinear((size) => {
    readCitedText(unit.repeat(size), EVIDENCE);
    const stream = createCitedStream(EVIDENCE);
    for (let i = 0; i < size; i += 5) stream.push(unit.repeat(5));
    stream.end();
  }, 2_000);
});

it.each([
  [" ", "x [P1]"],
  ["|", "x"],
  ["-", "x"],
  ["\t|", "x"],
])("a cited text of many %j before %j", (unit, last) => {
  for (const before of ["a ", "塔高九十米。\n"]) expectLinear((size) => readCitedText(`${before}${unit.repeat(size)}${last}`, EVIDENCE));
});

it.each(["a", "a.", "https://a", "<a", "](", "a@", "&#x6", "\\", "\u200d", "中", "/", "[x]:", "[\n", "(", "www.", "a-b.", "]( ) "])(
  "unknown addresses in %j, whole and in small pieces",
  (unit) => {
    const known = ["https://example.com/a?x=1", "https://zh.wikipedia.org/wiki/北京"];
    expectLinear((size) => {
      const text = unit.repeat(size);
      const whole = markMarkdown(text, known);
      const filter = new OutputFilter(known, null);
      let out = "";
      for (let at = 0; at < text.length; at += 11) out += filter.push(text.slice(at, at + 11));
      expect(out + filter.end() === whole).toBe(true);
    });
  },
);

it.each(["a.", "例子.", "a。", "例子", "&#46;", "a-"])("host names in %j", (unit) => {
  expectLinear((size) => unknownHosts(unit.repeat(size), []));
});

const markerFilter = () => createOutputFilter([], ["S"]);

it("brackets that never close", () => {
  expectLinear((size) => {
    const filter = markerFilter();
    for (let i = 0; i < size; i++) filter.push('[S1: "x [(S2 ');
    filter.end();
  }, 1_000);
});

it("spaces before a word, where citations are removed", () => {
  expectLinear((size) => {
    const filter = markerFilter();
    filter.push(`${" ".repeat(size)}x`);
    filter.end();
  });
  expectLinear((size) => stripBracketedNumbers(`${" ".repeat(size)}x`));
});

it("fences that never close", () => {
  expectLinear((size) => readClosingLines("`a\n".repeat(size), { isReport: true }));
});

it.each(["a", "e\u0301", "well-\nknown ", "中文，", " ", "*", "_a", "**A** "])("quotes in a text of %j", (unit) => {
  const quotes = [
    `b${"a".repeat(1_900)}`,
    "e\u0301e\u0301e\u0301e\u0301 x",
    "well-known fact of",
    "中文中文中文中文",
    `b${"*.".repeat(900)}`,
  ];
  expectLinear((size) => {
    const locate = createQuoteLocator();
    for (const quote of quotes) locate(quote, evidenceOf(unit.repeat(size)));
  });
});

it.each(["1", "٣", "三百", "十", "²"])("figures in a quote of nothing but %s", (unit) => {
  expectLinear((size) => missingFigures("It was 5 of them in 1999.", [unit.repeat(size)], [unit.repeat(size)]));
});

const FIGURES = [
  ...["1,", "1.", "九", "$-", "A.", "2023-", "三分之", "first ", "1 ", "-5%", "from 10 to ", "1% to $", "a dozen ", "X5", "half of the "],
  ...["10^4", "9⁹", "between 1 and "],
];

it.each(FIGURES)("figures of a sentence and a quote of %j", (piece) => {
  // Sentences have at most 4,000 characters.
  expectLinear((size) => {
    const long = piece.repeat(Math.floor(size / piece.length));
    missingFigures(long, [`${long}x`.slice(0, size / 2), long], [long]);
  }, 480);
});

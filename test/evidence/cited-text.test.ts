import { describe, expect, it } from "vitest";
import { type CitedPart, createCitedStream, readCitedText } from "../../src/evidence/cited-text.ts";
import { passages } from "./evidence-of.ts";

const EVIDENCE = passages(
  "The tower is 90 metres tall. It was “built in 1931” by O'Brien [sic] & Sons, see note (b).",
  "这座灯塔高九十米，一九三一年由当地工匠建成。",
  "Revenue rose to 12.5 million euros in 2024. Costs fell.",
);

/** Returns the sentences with the words that they cite, those that are struck, and the reasons why citations do not hold. */
const read = (text: string) => {
  const { claims, citations, faults, struck } = readCitedText(text, EVIDENCE);
  for (const { sourceId, start, end, quote } of citations) expect(EVIDENCE.get(sourceId.slice(2))?.text.slice(start, end)).toBe(quote);
  const quotes = new Map(citations.map(({ id, quote }) => [id, quote]));
  return {
    said: claims.map((claim) => [claim.text, ...claim.citations.map((id) => quotes.get(id))]),
    struck: struck.map((one) => one.text),
    faults: faults.map(({ why }) => why),
  };
};

describe("a marker", () => {
  it.each([
    ['It is tall. [P1: "The tower is 90 metres tall."]', "It is tall."],
    ["It is tall. [P1: 'The tower is 90 metres tall.']", "It is tall."],
    ["It is tall。【P1：『The tower is 90 metres tall.』】", "It is tall。"],
    ['It is tall. (P1: "The tower is 90 metres tall.")', "It is tall."],
    ['It is tall. [^P1: "The tower is 90 metres tall."]', "It is tall."],
    ["It is tall. [P1: The tower is 90 metres tall.]", "It is tall."],
    ['It is tall. [P1: "The tower is 90 metres tall."](https://evil.test/x)', "It is tall."],
    ['It is tall. [P1:\n"The tower is 90 metres tall."]', "It is tall."],
    ['It is tall. [P1: "The tower is 90 metres tall.', "It is tall."],
  ])("is read as %j", (text, sentence) => {
    expect(read(text)).toEqual({ said: [[sentence, "The tower is 90 metres tall."]], struck: [], faults: [] });
  });

  it("may quote brackets and quotation marks, escaped or not", () => {
    const quoted = "“built in 1931” by O'Brien [sic] & Sons, see note (b).";
    expect(read(`It is old. [P1: "“built in 1931” by O'Brien [sic] & Sons, see note (b)."]`).said).toEqual([["It is old.", quoted]]);
    expect(read(`It is old. [P1: ""built in 1931" by O'Brien [sic] & Sons, see note (b)."]`).said).toEqual([["It is old.", quoted]]);
    expect(read(`It is old. [P1: "\\"built in 1931\\" by O'Brien [sic] & Sons, see note (b)."] Next.`).said).toEqual([
      ["It is old.", quoted],
      ["Next."],
    ]);
  });

  it("may name several passages or several quotes", () => {
    expect(read('A. [P1: "is 90 metres tall"] [P2: "灯塔高九十米"] B. [P3: "Costs fell."; P2: "由当地工匠建成"]').said).toEqual([
      ["A.", "is 90 metres tall", "灯塔高九十米"],
      ["B.", "Costs fell.", "由当地工匠建成"],
    ]);
    expect(read('A. [P1, P3: "Revenue rose to"]').said).toEqual([["A.", "Revenue rose to"]]);
    expect(read('A. [P3: "Revenue rose to", "Costs fell."]').said).toEqual([["A.", "Revenue rose to", "Costs fell."]]);
  });

  it("strikes its sentence if its source or quote is invented", () => {
    const struck = (text: string, why: string) => expect(read(text)).toEqual({ said: [], struck: ["A."], faults: [why] });
    struck('A. [P9: "The tower is 90 metres tall."]', "unknown_source");
    struck("A. [P9]", "unknown_source");
    struck('A. [P3: "The tower is 90 metres tall."]', "quote_not_found");
    struck('A. [P1: "The tower is pink all over."]', "quote_not_found");
    struck('A. [P1: "the"]', "quote_not_found");
    expect(read('It is tall. [P1: "is 90 metres tall"] [P1: "and pink"]').struck).toEqual(["It is tall."]);
    expect(read('The tower is 90 metres tall. [P1: "The tower is 90 metres tall"] [P1: "and pink"]').struck).toEqual([]);
  });

  it("does not support its sentence without a quote", () => {
    const { claims, faults } = readCitedText("A. [P1, P2]", EVIDENCE);
    expect(claims).toMatchObject([{ support: "unverified", reason: "no_quote", citations: [] }]);
    expect(faults.map(({ why }) => why)).toEqual(["no_quote"]);
  });

  it("shows sentences with invented citations if that is wanted", () => {
    const { claims, struck } = readCitedText('A. [P9: "x"] It has 5 floors. [P1: "90 metres tall"]', EVIDENCE, { showInvented: true });
    expect(claims.map(({ support, reason }) => [support, reason])).toEqual([
      ["unverified", "unknown_source"],
      ["unverified", "amount_not_in_quote: 5"],
    ]);
    expect(struck).toEqual([]);
  });

  it("is removed completely if the text is cut off inside it", () => {
    for (const cut of ["[", "[P", "[P1", "[P1:", '[P1: "', '[P1: "The to', '[P1: "nowhere to be fou'])
      expect(read(`It is tall. ${cut}`).said.map(([sentence]) => sentence)).toEqual(["It is tall."]);
  });

  it("is not a bracket of another kind", () => {
    expect(read("See [2024], [0, 1], x = [1, 2], [sic], (b), [H2], `a[1]` and (M4).").said).toEqual([
      ["See [2024], [0, 1], x = [1, 2], [sic], (b), [H2], `a[1]` and (M4)."],
    ]);
  });

  it.each(["is bankrupt [12].", "is bankrupt[99].", "is bankrupt [3, 4–6].", 'is bankrupt [12: "x y"].'])(
    "of an invented number is shown as invented: %s",
    (words) => {
      const { claims } = readCitedText(`Helios ${words}`, EVIDENCE, { showInvented: true });
      expect(claims).toMatchObject([{ text: "Helios is bankrupt.", support: "unverified", reason: "unknown_source" }]);
    },
  );

  it("of a footnote does not tear a sentence", () => {
    expect(read("It has a footnote.[^1] Tom Baker left.[^a-note] So it is.\n\n[^1]: A note.").said).toEqual([
      ["It has a footnote."],
      ["Tom Baker left."],
      ["So it is."],
    ]);
  });
});

it("numbers places once, in the order of first use", () => {
  const { claims, citations } = readCitedText('A. [P3: "Costs fell."] B. [P1: "is 90 metres tall"] C. [P3: "Costs fell."]', EVIDENCE);
  expect(claims.map((claim) => claim.citations)).toEqual([[1], [2], [1]]);
  expect(citations.map(({ id, quote }) => [id, quote])).toEqual([
    [1, "Costs fell."],
    [2, "is 90 metres tall"],
  ]);
});

it.each([
  'Costs fell. [P3: "Costs fell."]\n\n[^1]: In fact they rose.\nBy far. [P3: "Revenue rose"]\n',
  '[^注]: 其实成本上升。\n\nCosts fell. [P3: "Costs fell."]',
])("leaves out the notes of %j", (text) => {
  expect(read(text).said).toEqual([["Costs fell.", "Costs fell."]]);
});

function streamed(text: string, size: number): { readonly parts: CitedPart[]; readonly early: number } {
  const stream = createCitedStream(EVIDENCE);
  const parts: CitedPart[] = [];
  for (let at = 0; at < text.length; at += size) parts.push(...stream.push(text.slice(at, at + size)));
  const early = parts.length;
  return { parts: [...parts, ...stream.end()], early };
}

/** It ends with code that nothing closes, in which an empty line ends no block. */
const REPORT = [
  'The tower is tall. [P1: "is 90 metres tall"] It is 90 metres tall.',
  "## Height of 90 metres",
  "这座灯塔高九十米。[P2：「灯塔高九十米」]",
  "So it is 90 metres tall.",
  "### Age",
  '- It dates from 1931. [P1: "built in 1931"]\n- It is pink. [P1: "is pink all over"]',
  "## Money",
  '| What | Million |\n| --- | --- |\n| Revenue | 12.5 | [P3: "12.5 million euros"] |',
  "It is 12.5 million.",
  "```py\na = 1\n\n# 注释\n\nb = 2\n```",
  "## Last",
  "这座灯塔高九十米。[P2：「灯塔高九十米」]",
  "```\nCosts fell.\n\nThey did.",
].join("\n\n");

it("gives the blocks of a text while it arrives, with the numbers of the whole text", () => {
  const whole = readCitedText(REPORT, EVIDENCE);
  const numbered = (claims: typeof whole.claims) => claims.map(({ text, citations, section }) => ({ text, citations, section }));
  for (const size of [1, 7, 1_000]) {
    const { parts, early } = streamed(REPORT, size);
    const claims = parts.flatMap((part) => part.claims);
    expect(numbered(claims)).toEqual(numbered(whole.claims));
    expect(parts.flatMap(({ blocks }) => blocks.map(({ kind }) => kind))).toEqual(whole.blocks.map(({ kind }) => kind));
    if (size < 20) expect(early).toBeGreaterThan(6);
    // The lead sums up what is still to come.
    expect([claims, whole.claims].map(([, lead]) => lead?.support)).toEqual(["unverified", "summary"]);
    expect(claims.map(({ support }) => support)).toEqual(whole.claims.map(({ support }, i) => (i === 1 ? "unverified" : support)));
  }
});

describe("a text with more than 5,000 blocks and sentences", () => {
  it.each([
    ["sentences of one paragraph", "Costs fell. ", 4_900],
    ["Chinese sentences", "水。", 4_900],
    ["items", "- Costs fell.\n", 2_000],
  ])("is read up to there, and says so: %s", (_, part, fewest) => {
    const { claims, blocks, isCut, text } = readCitedText(part.repeat(8_000), EVIDENCE);
    expect(isCut).toBe(true);
    expect(claims.length + blocks.length).toBeLessThanOrEqual(5_000);
    expect(claims.length + blocks.length).toBeGreaterThan(fewest);
    expect(text.length).toBeGreaterThan(8_000);
    expect(readCitedText(part.repeat(2_000), EVIDENCE).isCut).toBe(false);
  });
});

describe("an uncited sentence below checked ones", () => {
  const evidence = passages("Helios sold 40 lamps in Kenya, said Oduya.");
  const cited = 'Helios sold 40 lamps in Kenya. [P1: "Helios sold 40 lamps in Kenya"]';
  it.each([
    ["Helios did well.", "summary"],
    ["Oduya saw it.", "summary"],
    ["竞争对手Acme破产。", "name_not_in_source: Acme"],
  ])("has only names that they or their documents have: %s", (text, kind) => {
    const { claims } = readCitedText(`## Sales\n\n${cited} ${text}`, evidence);
    expect(claims.map(({ support, reason }) => reason ?? support)).toEqual(["quoted", kind]);
  });
});

it("judges the target of a link, which the text does not show", () => {
  const text = "Helios has 40 lamps.";
  const addresses = ["https://helios.example/a"];
  const read = (target: string) =>
    readCitedText(`${text} [P1: "Helios has 40 lamps"] See [its site](${target}).`, passages(text), { addresses });
  expect(read("https://evil.example/x").struck.map(({ reason }) => reason)).toEqual(["unknown_address: an address that no source has"]);
  expect(read("https://helios.example/a").struck).toEqual([]);
  expect(read("below").struck).toEqual([]);
});

describe("a citation without its end", () => {
  const evidence = passages("It built 40 of them. The plant made 1 prototype.");
  const next = '- The plant made 1 prototype. [P1: "The plant made 1 prototype"]';
  it.each([
    ['[P1: "It built 40 of them', "quoted"],
    ['[P1: "It built 40 of them"', "quoted"],
    ["[= 40 + 1", "amount_not_in_sentences: 40"],
  ])("ends with its item of a list: %s", (marker, first) => {
    const { claims, blocks } = readCitedText(`- It built 40 of them. ${marker}\n${next}`, evidence);
    expect(claims.map(({ text, support, reason }) => [text, reason ?? support])).toEqual([
      ["It built 40 of them.", first],
      ["The plant made 1 prototype.", "quoted"],
    ]);
    expect(blocks).toHaveLength(1);
  });
});

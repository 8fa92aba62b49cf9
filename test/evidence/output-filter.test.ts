import { expect, it } from "vitest";
import { createOutputFilter } from "../../src/evidence/sanitize-output.ts";

const filter = () => createOutputFilter([], ["S"]);

function shown(pieces: Iterable<string>): string {
  const one = filter();
  return [...Array.from(pieces, (piece) => one.push(piece)), one.end()].join("");
}

/** Cuts the text into pieces whose lengths depend only on the seed. */
function* cut(text: string, seed: number): Generator<string> {
  for (let at = 0, state = seed; at < text.length; ) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const length = 1 + (state % (seed % 2 === 0 ? 5 : 40));
    yield text.slice(at, at + length);
    at += length;
  }
}

const CASES: readonly (readonly [string, string])[] = [
  ['It was built in 1874. [S1: "was built in 1874"] It burns oil.', "It was built in 1874. It burns oil."],
  ["灯塔建于1874年。[S1：“奥尔德穆尔灯塔建于1874年”]灯用鲸油。【S2: 「鲸油」】", "灯塔建于1874年。灯用鲸油。"],
  ['Both hold [S1: "one", "two"; S2: "three"], as said (S3).', "Both hold, as said."],
  ["Invented ids [S9] and [P4, P5] go, [P12]", "Invented ids and go,"],
  ["An array a[0], a list [x], a note [T3] and f(x) stay.", "An array a[0], a list [x], a note [T3] and f(x) stay."],
  ['Code keeps all:\n```js\nrow[S1] = "x";\n```\nAfter. [S1: "quote here"]', 'Code keeps all:\n```js\nrow[S1] = "x";\n```\nAfter.'],
  ['A quote that never ends [S1: "was built\nand goes on.\n\nNext paragraph.', "A quote that never ends\nand goes on.\n\nNext paragraph."],
  ['- [S1: "first words"] an item\n| [S2: "a cell"] | b |', "- an item\n|  | b |"],
  ['With a target [S1: "some words"](https://evil.example/x) and on', "With a target and on"],
  ["It is cut off [S", "It is cut off"],
  ["Joined[S1]words and 词[S2]语", "Joined words and 词语"],
];

it.each(CASES)("removes the citations from %j, however it is cut", (text, expected) => {
  expect(shown([text])).toBe(expected);
  expect(shown(text)).toBe(expected);
  for (let seed = 1; seed <= 20; seed++) expect(shown(cut(text, seed))).toBe(expected);
});

it("shows words at once that are no address, but for the last one", () => {
  const one = filter();
  expect([one.push("The lamp "), one.push("burns oil."), one.push(" (of whales) "), one.push("然后")]).toEqual([
    "The lamp",
    " burns",
    " oil. (of whales)",
    "",
  ]);
});

it("holds a block from its first citation to its end", () => {
  const one = filter();
  expect([one.push("x [S1"), one.push(': "some '), one.push('words"] and so on\n'), one.push("\nNext"), one.end()]).toEqual([
    "x",
    "",
    "",
    " and so on\n\n",
    "Next",
  ]);
});

it("delays a bounded stretch of a quote that never ends", () => {
  const one = filter();
  const said = one.push(`a [S1: "${"word ".repeat(200_000)}`);
  expect(said.length).toBeGreaterThan(900_000);
});

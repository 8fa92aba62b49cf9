import { describe, expect, it } from "vitest";
import { activeInMarkdown } from "../../scripts/injections/rendered.ts";
import { hideAddresses, stripUnknownAddresses } from "../../src/evidence/address-filter.ts";
import { OutputFilter } from "../../src/evidence/output-filter.ts";
import { markMarkdown, sanitizeToolCall } from "../../src/evidence/sanitize-output.ts";
import { escapeMarkdown } from "../../src/reports/text.ts";
import { seeded } from "../helpers/seeded.ts";
import { HONEST_DOTS, HOSTILE_MARKDOWN, KNOWN, KNOWN_ADDRESSES, MARKED, WRITTEN } from "./marked-addresses.ts";

const mark = (text: string): string => markMarkdown(text, KNOWN_ADDRESSES);
/** What a renderer links or loads, without what it may. */
const unknownIn = (markdown: string): string[] =>
  activeInMarkdown(markdown).filter(
    (target) => !KNOWN_ADDRESSES.some((known) => encodeURI(decodeURI(known)) === target || known === target),
  );

describe("an unknown address in Markdown", () => {
  it.each(MARKED)("stands in a code span, marked: %j", (text, expected) => {
    expect(mark(text)).toBe(expected);
    expect(mark(expected)).toBe(expected);
    expect(unknownIn(expected)).toEqual([]);
  });

  it.each(KNOWN)("is not one that a source has: %j", (text, expected) => {
    expect(mark(text)).toBe(expected);
    expect(unknownIn(expected)).toEqual([]);
  });

  it.each([...WRITTEN, ...HONEST_DOTS])("is no code, generic type or comparison, which stay as they are written: %j", (text) => {
    expect(mark(text)).toBe(text);
  });
});

it.each([
  ["<div onClick={x}>点击</div>", "`<div onClick={x}>点击</div>`"],
  ["handlers[name](event)", "handlers`[name](event)`"],
  ["> <div a=b>\n> 甲\n> </div>", "> `<div a=b>`\n> `甲`\n> `</div>`"],
  ["<script>\nfetch(1)\n\n</script>", "`<script>`\n`fetch(1)`\n\n`</script>`"],
  ["<b>x</b> 10<sup>6</sup> CO<sub>2</sub><br>", "`<b>`x`</b>` 10<sup>6</sup> CO<sub>2</sub><br>"],
])("HTML and calls in prose stay as they are written, as code: %j", (text, expected) => {
  expect(mark(text)).toBe(expected);
  expect(unknownIn(expected)).toEqual([]);
});

it("an unknown address in plain text stands in a code span, which the report keeps", () => {
  const shown = stripUnknownAddresses(
    "见 https://evil.test/a?b=1，[x](//evil.test/c) <a href=https://evil.test> `https://evil.test` it`s",
    [],
  );
  expect(shown).toBe(
    "见 ``https://evil.test/a?b=1``（未检索到的地址），[x](``//evil.test/c``（未检索到的地址）) <a href=``https://evil.test``（未检索到的地址）> `https://evil.test` it`s",
  );
  expect(stripUnknownAddresses(shown, [])).toBe(shown);
  expect(unknownIn(escapeMarkdown(shown))).toEqual([]);
  expect(hideAddresses("See https://evil.test/a and `https://evil.test` <x-a id='1'>.")).toBe(
    "See [address removed] and ` [address removed]` <x-a id='1'>.",
  );
});

it("an unknown address in the arguments of a call stands in a code span", () => {
  const call = {
    id: "call-1",
    name: "finish_task",
    arguments: { more: ["See https://evil.example/a and [here](https://known.example/b). "] },
  };
  const marked = "See `https://evil.example/a` (not retrieved) and [here](`https://known.example/b` (not retrieved)). ";
  expect(sanitizeToolCall(call, [])).toEqual({ ...call, arguments: { more: [marked] } });
});

describe("whatever is joined, a renderer links and loads nothing unknown", () => {
  const pieces = [...HOSTILE_MARKDOWN, ...[...MARKED, ...KNOWN].map(([text]) => text), ...WRITTEN];
  const glue = [..."` [<>\\|。\n\r", "", "\n\n", "**", "``", "](", "\n- ", "\n  ", "\n> ", "\n    ", "\n```\n"];

  it.each(Array.from({ length: 8 }, (_, seed) => seed + 1))("with seed %d", (seed) => {
    const random = seeded(seed);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    for (let round = 0; round < 6; round++) {
      const text = Array.from({ length: 12 }, () => pick(pieces) + pick(glue)).join("");
      const marked = mark(text);
      expect(unknownIn(marked), text).toEqual([]);
      expect(unknownIn(escapeMarkdown(stripUnknownAddresses(text, KNOWN_ADDRESSES))), text).toEqual([]);
      const filter = new OutputFilter(KNOWN_ADDRESSES, null);
      let out = "";
      for (let at = 0; at < text.length; ) {
        const size = 1 + Math.floor(random() * 30);
        out += filter.push(text.slice(at, at + size));
        at += size;
      }
      expect(out + filter.end()).toBe(marked);
    }
  });
});

it("does not delay words that cannot become an address any more, nor code", () => {
  const filter = new OutputFilter([], null);
  expect(filter.push("The tower is ")).toBe("The tower is");
  expect(filter.push("3.5 m high. 它建于1874年，高")).toBe(" 3.5 m high. 它建于1874年，");
  expect(filter.push("三十米。见 https://evil.test/a 和")).toBe("高三十米。见");
  expect(filter.push("b。\n\n```ts\nconst a = 1;\n")).toBe(" `https://evil.test/a`（未检索到的地址） 和b。\n\n```ts\nconst a = 1;\n");
  expect(filter.push("a".repeat(1_000)) + new OutputFilter([], null).push("a".repeat(1_000))).toBe("a".repeat(300));
});

import { describe, expect, it } from "vitest";
import { createCitedStream, readCitedText } from "../../src/evidence/cited-text.ts";
import { createDetailCheck, markUnknownHosts, unknownAddresses, unknownHosts } from "../../src/evidence/unknown-references.ts";
import { passages } from "./evidence-of.ts";

const EVIDENCE = passages("The tower is 90 metres tall. 灯塔高九十米。");

describe("the name of a host", () => {
  it.each(["evil.com", "e\u00advil.com", "evil\\.com", "evil&#46;com", "shop.пример.com"])("strikes a sentence with %j", (written) => {
    const text = `The tower is tall, see ${written} for it. [P1: "90 metres tall"] It is 90 metres tall. [P1: "90 metres tall"]`;
    const { claims, struck } = readCitedText(text, EVIDENCE);
    expect(struck.map(({ reason }) => reason)).toEqual([expect.stringMatching(/^unknown_address: .+\.com$/)]);
    const stream = createCitedStream(EVIDENCE);
    const streamed = [...Array.from(text).flatMap((character) => stream.push(character)), ...stream.end()];
    expect(streamed.flatMap((part) => part.claims)).toEqual(claims);
  });

  it("is marked in what nothing supports", () => {
    expect(markUnknownHosts("See evil.com, not docs.example.", ["https://docs.example/"])).toBe(
      "See `evil.com` (not retrieved), not docs.example.",
    );
  });

  it.each([
    "It grew 3.5 percent, or 3．5 times.",
    "Node.js runs main.py and README.md.",
    "公司发布了GPT。AI改变了一切。Com是缩写。",
    "и т.д., т.е. версия.Потом А.С. Пушкин",
  ])("is not recognized in %j", (text) => {
    expect(unknownHosts(text, [])).toEqual([]);
  });

  it("is known if a source, the question or a quote has it", () => {
    expect(unknownAddresses("See evil.com.", ["evil.com is a shop"], [])).toEqual([]);
    expect(unknownAddresses("请访问evil.com查看", ["Evil.com"], [])).toEqual([]);
    expect(unknownAddresses("See evil.com.", ["other.com"], [])).toEqual(["evil.com"]);
  });
});

describe("what the question does not say", () => {
  const isNew = createDetailCheck(["Who painted the portrait of 1874, and what does docs.example say? 谁在1874年画了肖像？"]);

  it.each(["Nothing was found about the portrait of 1874.", "没有找到1874年肖像的画家。", "What docs.example says could not be read."])(
    "is not in: %s",
    (text) => {
      expect(isNew(text)).toBe(false);
    },
  );

  it.each([
    "The portrait of 1931 was not found.",
    "画家在2020年获得的4200元报酬不详。",
    "见 https://evil.example/x 。",
    "Look at `evil` (not retrieved).",
  ])("is in: %s", (text) => {
    expect(isNew(text)).toBe(true);
  });
});

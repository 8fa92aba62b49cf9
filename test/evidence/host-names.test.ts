import { describe, expect, it } from "vitest";
import { createCitedStream, readCitedText } from "../../src/evidence/cited-text.ts";
import { hostNames } from "../../src/evidence/host-names.ts";
import type { Evidence } from "../../src/evidence/quote-location.ts";
import { markUnknownHosts, unknownAddresses } from "../../src/evidence/unknown-references.ts";

const TEXT = "The tower is 90 metres tall. 灯塔高九十米。";
const EVIDENCE = new Map<string, Evidence>([
  ["P1", { id: "P1", sourceId: "S1", contentHash: "h", text: TEXT, start: 0, end: TEXT.length }],
]);

const DISGUISED = [
  ["evil.com", "evil.com"],
  ["evil．com", "evil.com"],
  ["evil｡com", "evil.com"],
  ["evil。com", "evil.com"],
  ["ｅｖｉｌ.ｃｏｍ", "evil.com"],
  ["evil.c\u200dom", "evil.com"],
  ["e\u00advil.com", "evil.com"],
  ["evil\\.com", "evil.com"],
  ["evil&#46;com", "evil.com"],
  ["evil[.]example[.]com", "evil.example.com"],
  ["evil (dot) com", "evil.com"],
  ["evil dot com", "evil.com"],
  ["evil dot example dot com", "evil.example.com"],
  ["пример.рф", "пример.рф"],
  ["пример.com", "пример.com"],
  ["evil.рф", "evil.рф"],
  ["例子.中国", "例子.中国"],
  ["例子．中国", "例子.中国"],
] as const;

describe("the name of a host", () => {
  it.each(DISGUISED)("is found in %j", (written, name) => {
    const text = `See ${written} for it.`;
    expect(hostNames(text)).toEqual([{ name, start: 4, end: 4 + written.length }]);
    expect(markUnknownHosts(text, ["https://other.example/"])).toMatch(/^See `.+`(?: \(not retrieved\)|（未检索到的地址）) for it\.$/);
  });

  it.each(DISGUISED)("strikes a sentence with %j", (written) => {
    const text = `The tower is tall, see ${written} for it. [P1: "90 metres tall"] It is 90 metres tall. [P1: "90 metres tall"]`;
    const { claims, struck } = readCitedText(text, EVIDENCE);
    expect(struck.map(({ reason }) => reason)).toEqual([`unknown_address: ${hostNames(written)[0]?.name}`]);
    const stream = createCitedStream(EVIDENCE);
    const streamed = [...Array.from(text).flatMap((character) => stream.push(character)), ...stream.end()];
    expect(streamed.flatMap((part) => part.claims)).toEqual(claims);
  });

  it.each([
    "It grew 3.5 percent, or 3．5 times.",
    "Node.js runs main.py and README.md.",
    "It is used, e.g. in the U.S. and the U.K. at 5 p.m.",
    "张三.李四",
    "日志级别是debug。info级别更高。",
    "公司发布了GPT。AI改变了一切。Com是缩写。",
    "这是一个例子。中国是一个国家。",
    "и т.д., т.е. версия.Потом А.С. Пушкин",
    "The dot com bubble burst.",
    "The end. Com is a port.",
  ])("is not recognized in %j", (text) => {
    expect(hostNames(text)).toEqual([]);
  });

  it("is known if a source, the question or a quote has it, in any spelling", () => {
    expect(unknownAddresses("See evil．com.", ["evil.com is a shop"], [])).toEqual([]);
    expect(unknownAddresses("See evil.com.", ["evil[.]com is a shop"], [])).toEqual([]);
    expect(unknownAddresses("参见例子.com。", [], ["https://xn--fsqu00a.com/x"])).toEqual([]);
    expect(unknownAddresses("См. пример.рф.", [], ["https://xn--e1afmkfd.xn--p1ai/"])).toEqual([]);
    expect(unknownAddresses("请访问evil.com查看", ["Evil.com"], [])).toEqual([]);
    expect(unknownAddresses("参见例子.com。", ["别的.com"], [])).toEqual(["参见例子.com"]);
  });
});

import { describe, expect, it } from "vitest";
import { createExtractor } from "../../src/documents/extract.ts";
import { resolveLinks } from "../../src/documents/links.ts";

const extractor = createExtractor();
const URL_OF_PAGE = "https://port.example/news/today.html?id=1";

async function linksOf(text: string, mediaType = "text/html") {
  const { links } = await extractor.extract({ bytes: new TextEncoder().encode(text), mediaType, url: URL_OF_PAGE, charset: "utf-8" });
  return links?.map((link) => [link.text, link.url]);
}

const SENTENCE = "The harbour of Aldermoor handled more cargo in 2024 than in any year before, and most of it was timber.";

describe("the links of a page", () => {
  it("are absolute web addresses with their words, each once, in the order of the text", async () => {
    const html = `<body><article><h1>Cargo</h1><p>${SENTENCE} ${SENTENCE} See <a href="../reports/2024.pdf#page=2">the  <b>annual</b> report</a>,
      <a href="https://u:p@stats.example/cargo">统计局</a>, <a href="/reports/2024.pdf">again</a>, <a href="#top">top</a>, <a href="today.html?id=1#x">here</a>,
      <a href="mailto:a@b.example">mail</a>, <a href="javascript:alert(1)">script</a>, <a href="data:text/html,x">data</a> and <a href="/empty"><img></a>.</p></article></body>`;
    expect(await linksOf(html)).toEqual([
      ["the annual report", "https://port.example/reports/2024.pdf"],
      ["统计局", "https://stats.example/cargo"],
    ]);
  });

  it("begin with the base of the page", async () => {
    const html = `<head><base href="https://cdn.example/a/"></head><body><article><p>${SENTENCE} ${SENTENCE} <a href="b">report</a></p></article></body>`;
    expect(await linksOf(html)).toEqual([["report", "https://cdn.example/a/b"]]);
  });

  it("are those of the article, not of its menu", async () => {
    const html = `<body><nav><ul><li><a href="/menu">Menu</a></li></ul></nav><article><p>${SENTENCE}</p><p>${SENTENCE} <a href="/r">report</a></p></article></body>`;
    expect(await linksOf(html)).toEqual([["report", "https://port.example/r"]]);
  });

  it("are at most 200, with at most 200 characters", async () => {
    const many = Array.from({ length: 300 }, (_, at) => `<a href="/${at}">${"词".repeat(300)}</a>`);
    const links = await linksOf(
      `<body><article><p>${SENTENCE}</p>${many.map((link) => `<p>${SENTENCE} ${link}</p>`).join("")}</article></body>`,
    );
    expect(links).toHaveLength(200);
    expect(links?.every(([text = ""]) => text.length <= 200)).toBe(true);
  });

  it("are absent where there are none", async () => {
    expect(await linksOf(`<body><p>${SENTENCE}</p></body>`)).toBeUndefined();
  });
});

it("the links of a Markdown text, also in a table", async () => {
  const text =
    "# 货物\n\nSee [the report](https://port.example/r) and <https://stats.example/c>.\n\n| a | b |\n|---|---|\n| [表](/t) | 1 |\n";
  expect(await linksOf(text, "text/markdown")).toEqual([
    ["the report", "https://port.example/r"],
    ["https://stats.example/c", "https://stats.example/c"],
    ["表", "https://port.example/t"],
  ]);
});

it("an uploaded file has no address that its relative links could begin with", () => {
  const links = [
    { text: "x", href: "/a" },
    { text: "y", href: "https://port.example/y" },
  ];
  expect(resolveLinks(links, "upload:abc/report.html")).toEqual([{ text: "y", url: "https://port.example/y" }]);
});

import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { createExtractor } from "../../src/documents/extract.ts";
import type { ExtractedDocument } from "../../src/domain/document.ts";
import { blockLines, expectSoundBlocks } from "./sound-blocks.ts";

const extractor = createExtractor();

async function extract(html: string | Uint8Array, charset?: string): Promise<ExtractedDocument> {
  const bytes = typeof html === "string" ? new TextEncoder().encode(html) : html;
  const document = await extractor.extract({
    bytes,
    mediaType: "text/html",
    url: "https://example.org/a/page.html",
    ...(charset && { charset }),
  });
  expectSoundBlocks(document);
  return document;
}

const body = async (html: string): Promise<string[]> => blockLines(await extract(`<!doctype html><html><body>${html}</body></html>`));

describe("an HTML page", () => {
  it.each([
    ["without a head", "<html><title>P</title><script>var a</script><body><p>The Papa.</p></body></html>", ["The Papa."]],
    [
      "with a script before the head",
      "<html><script>a</script><head><title>M</title></head><body><p>The Papa.</p></body></html>",
      ["The Papa."],
    ],
    ["with a script behind the head", "<html><head></head><script>a</script><body><p>河流。</p></body></html>", ["河流。"]],
    ["with text before the body", "<html>Stray.<body><p>The Papa.</p></body></html>", ["Stray.", "The Papa."]],
    ["with text behind the body", "<html><body><p>The Papa.</p></body><p>After it.</p></html>", ["The Papa.", "After it."]],
    ["with two bodies", "<html><body><p>One.</p></body><body><p>Two.</p></body></html>", ["One.", "Two."]],
  ])("keeps its text %s", async (_, html, lines) => {
    expect(blockLines(await extract(html)).map((line) => line.replace(/^\w+(?: \d)?: /, ""))).toEqual(lines);
  });

  it("becomes the blocks of its article, without navigation, scripts, styles and footer", async () => {
    const bytes = await readFile(new URL("../fixtures/corpus/guides/seed-vault.html", import.meta.url));
    const document = await extract(bytes);
    expect(document).toMatchObject({
      title: "How the Halden seed vault keeps its seeds",
      language: "en-GB",
      publishedAt: "2022-11-05T07:30:00.000Z",
      author: "Ada Lindqvist",
    });
    expect(document.text).not.toMatch(/SCRIPT WAS EXECUTED|color: red|weather|cookies/);
    const lines = blockLines(document);
    expect(lines).toContain("heading2: Humidity");
    expect(lines.slice(-4)).toEqual([
      "table-row1: Crop | Years of storage",
      "table-row: Barley | 2,000",
      "table-row: Lettuce | 73",
      "code: lot 1187\n  barley   92 %",
    ]);
    expect(document.text).toContain("Crop | Years of storage\nBarley | 2,000\nLettuce | 73\n\nlot 1187");
  });

  it("is read completely if there is no article", async () => {
    expect(await body("<h1>Opening hours</h1><p>Mon to Fri</p><p>9 to 17</p>")).toEqual([
      "heading1: Opening hours",
      "paragraph: Mon to Fri",
      "paragraph: 9 to 17",
    ]);
  });

  it("nests list items, keeps quotes and reads two line breaks as a new paragraph", async () => {
    expect(await body("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul><blockquote><p>d</p></blockquote>e<br>f<br> <br>g")).toEqual([
      "list-item1: a",
      "list-item2: b",
      "list-item1: c",
      "quote: d",
      "paragraph: e f",
      "paragraph: g",
    ]);
  });

  it("does not read a layout table as data", async () => {
    const cells = "<td><h2>Left</h2><p>one</p></td><td><p>two</p></td>";
    expect(await body(`<table><tr>${cells}</tr></table>`)).toEqual(["heading2: Left", "paragraph: one", "paragraph: two"]);
  });

  it("drops hidden text and keeps the formula of an image", async () => {
    const html = `<p>seen <span style="display: none">unseen</span><b hidden>unseen</b> <img aria-hidden="true" alt="{\\displaystyle x^{2}}"></p>`;
    expect(await body(html)).toEqual(["paragraph: seen {\\displaystyle x^{2}}"]);
  });

  const raised = "<msup><mi>x</mi><mn>2</mn></msup>";
  const tex = `<math><semantics><mrow>${raised}</mrow><annotation encoding="application/x-tex">x^{2}</annotation></semantics></math>`;
  it.each([
    ["MathML", `<math>${raised}</math>`, "x^2"],
    ["MathML with a hostile name", "<math><constructor><mi>x</mi><mn>2</mn></constructor></math>", "x2"],
    ["MathML with its TeX", tex, "x^{2}"],
    ["MathML with its text", `<math alttext="x squared">${raised}</math>`, "x squared"],
    [
      "KaTeX",
      `<span class="katex"><span class="katex-mathml">${tex}</span><span class="katex-html" aria-hidden="true">x2</span></span>`,
      "x^{2}",
    ],
    ["KaTeX without MathML", `<span class="katex"><span class="katex-html" aria-hidden="true"><span>x</span></span></span>`, "x"],
    [
      "MathJax 2",
      `<span class="MathJax_Preview">x2</span><span class="MathJax"><span>x2</span></span> <script type="math/tex">x^2</script>`,
      "x^2",
    ],
    [
      "MathJax 3",
      `<mjx-container><mjx-math aria-hidden="true">x2</mjx-math><mjx-assistive-mml><math>${raised}</math></mjx-assistive-mml></mjx-container>`,
      "x^2",
    ],
    [
      "MediaWiki",
      `<span class="mwe-math-element"><span style="display:none">${tex}</span><img aria-hidden="true" alt="{\\displaystyle x^{2}}"></span>`,
      "x^{2}",
    ],
  ])("has a formula of %s once, in an article too", async (_, formula, text) => {
    const sentence = (form: string) => `Take ${form} of the salt that is kept in the vault below the village, and keep the rest of it dry.`;
    expect(await body(`<p>${sentence(formula)}</p>`)).toEqual([`paragraph: ${sentence(text)}`]);
    const article = `<article><p>${sentence(formula)}</p>${"<p>It has been kept there since the school was built beside it, in the year 1931, by hand.</p>".repeat(6)}</article>`;
    expect((await body(article))[0]).toBe(`paragraph: ${sentence(text)}`);
  });

  it("joins wrapped Chinese lines without a space and English ones with one", async () => {
    expect(await body("<p>青盐湖储能\n  电站</p><p>one\n  two</p>")).toEqual(["paragraph: 青盐湖储能电站", "paragraph: one two"]);
  });

  it("is read without html, head and body tags", async () => {
    const document = await extract("<title>Bare</title><p>Only a fragment.");
    expect(document.title).toBe("Bare");
    expect(blockLines(document)).toEqual(["paragraph: Only a fragment."]);
  });

  it("takes its file name as its title if it has none", async () => {
    expect((await extract("<p>text</p>")).title).toBe("page.html");
  });

  it("takes date and author from JSON-LD, and the first line of a title without the site", async () => {
    const data = JSON.stringify({
      "@graph": [
        { "@type": "Organization", name: "X" },
        { headline: "H", datePublished: "2021-02-03", author: [{ name: "A" }, { name: "B" }] },
      ],
    });
    const html = `<html><head><title>Salt | The Site</title><meta property="og:site_name" content="The Site"><script type="application/ld+json">${data}</script></head><body><p>text</p></body></html>`;
    expect(await extract(html)).toMatchObject({ title: "Salt", publishedAt: "2021-02-03", author: "A, B" });
  });

  it("has no language whose script it does not use", async () => {
    const html = "<html lang='en'><body><p>青盐湖储能电站采用钠离子电池，于三月并网。</p></body></html>";
    expect((await extract(html)).language).toBe("zh");
  });
});

describe("a hostile HTML page", () => {
  it.each([
    ["nested divs", `${"<div>".repeat(4_000)}deep text${"</div>".repeat(4_000)}`],
    ["nested lists", `${"<ul><li>".repeat(2_000)}deep text`],
    ["nested tables", `${"<table><tr><td>".repeat(1_500)}deep text`],
    ["nested JSON-LD", `<script type="application/ld+json">${"[".repeat(100_000)}</script><p>deep text</p>`],
  ])("with %s is still read", async (_, html) => {
    expect((await extract(`<html><body>${html}</body></html>`)).text).toContain("deep text");
  });

  it.each([
    ["a hundred thousand nested elements", "<div>".repeat(100_000)],
    ["a million stray brackets", "<".repeat(1_000_000)],
    ["half a million elements", "<br>".repeat(500_000)],
  ])("with %s is refused", async (_, html) => {
    await expect(extract(html)).rejects.toMatchObject({ name: "DossierError", code: "unreadable" });
  });

  it("becomes well-formed text despite broken references, NUL and byte order marks", async () => {
    expect((await extract("<p>a&#xD800;b&#0;c\0d\ufeffe</p>")).text).toBe("a\ufffdb\ufffdcde");
  });

  it("without text is empty, not unreadable", async () => {
    await expect(extract("<html><body><script>alert(1)</script></body></html>")).rejects.toMatchObject({ code: "empty" });
  });
});

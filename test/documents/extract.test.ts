import { describe, expect, it } from "vitest";
import { createExtractor } from "../../src/documents/extract.ts";
import { contentHashOf, ExtractedDocumentSchema } from "../../src/domain/document.ts";

const extractor = createExtractor();

async function kindsOf(content: string, mediaType: string, url: string): Promise<string[]> {
  const { text, blocks } = await extractor.extract({ bytes: new TextEncoder().encode(content), mediaType, url });
  return blocks.map(({ kind, start, end }) => `${kind}: ${text.slice(start, end)}`);
}

describe("the format of a document", () => {
  const html = "<!-- x --><!DOCTYPE html><p># a</p>";

  it.each([
    ["its media type", html, "text/html", "https://example.org/a.md", "paragraph: # a"],
    ["its media type with parameters", "# a", "text/markdown; charset=utf-8", "https://example.org/a.html", "heading: a"],
    ["its suffix where no media type is given", "# a", "", "corpus:dir/a.md", "heading: a"],
    ["its suffix where the media type is vague", "# a", "text/plain", "https://example.org/README.md?raw=1#top", "heading: a"],
    ["its beginning where neither helps", html, "", "https://example.org/page", "paragraph: # a"],
    ["nothing, and then it is text", "# a", "", "https://example.org/page", "paragraph: # a"],
    ["its media type even when that is text that looks like HTML", "<html>", "text/plain", "https://example.org/page", "paragraph: <html>"],
  ])("is recognized by %s", async (_, content, mediaType, url, expected) => {
    expect(await kindsOf(content, mediaType, url)).toEqual([expected]);
  });

  it.each([
    ["a PDF, whatever it is declared as", "%PDF-1.7 ...", "text/html", /PDF/],
    ["a declared PDF", "x", "application/pdf", /PDF/],
    ["an image", "x", "image/png", /image\/png/],
    ["a binary file", "\u0001\u0002\u0003\u0004\0\0\0", "", /binary/],
  ])("makes %s unreadable, with a reason", async (_, content, mediaType, message) => {
    const promise = kindsOf(content, mediaType, "https://example.org/x");
    await expect(promise).rejects.toMatchObject({ name: "DossierError", code: "unreadable", message: expect.stringMatching(message) });
  });
});

describe("a document", () => {
  it("above the limit is too large", async () => {
    const small = createExtractor({ maxBytes: 10 });
    const promise = small.extract({ bytes: new Uint8Array(11).fill(0x61), mediaType: "text/plain", url: "a.txt" });
    await expect(promise).rejects.toMatchObject({
      code: "document_too_large",
      message: "The document was not read: 11 bytes exceed the limit of 10.",
    });
  });

  it("of white space is empty", async () => {
    await expect(kindsOf(" \n\t\ufeff\n", "text/plain", "a.txt")).rejects.toMatchObject({ code: "empty" });
  });

  it("has the shape of its schema", async () => {
    const document = await extractor.extract({ bytes: new TextEncoder().encode("Salut."), mediaType: "", url: "corpus:b%20c.txt" });
    expect(ExtractedDocumentSchema.parse(document)).toEqual({
      text: "Salut.",
      title: "b c.txt",
      url: "corpus:b%20c.txt",
      language: null,
      publishedAt: null,
      author: null,
      blocks: [{ kind: "paragraph", start: 0, end: 6, level: 0 }],
    });
  });

  it.each([
    ["en", "The bakery is one of the oldest in the valley, and it has been fired with beech since it was built."],
    ["fr", "La boulangerie est une des plus anciennes de la vallée et elle est chauffée au bois de hêtre depuis sa construction."],
    ["zh", "村里的面包房是山谷中最古老的之一。"],
    ["ja", "この村のパン屋は谷で最も古いものの一つです。"],
    ["ko", "마을 빵집은 골짜기에서 가장 오래된 곳입니다."],
    ["ar", "مخبز القرية من أقدم المخابز في الوادي."],
    ["ru", "Деревенская пекарня одна из старейших в долине."],
  ])("without a declared type is read as %s", async (language, text) => {
    const document = await extractor.extract({ bytes: new TextEncoder().encode(text), mediaType: "text/plain", url: "a.txt" });
    expect(document.language).toBe(language);
  });

  it("has the SHA-256 of its UTF-8 bytes as its id", () => {
    expect(contentHashOf("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect(contentHashOf("中文")).toBe("72726d8818f693066ceb69afa364218b692e62ea92b385782363780f47529c21");
  });
});

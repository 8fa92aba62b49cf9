import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { createExtractor } from "../../src/documents/extract.ts";
import type { ExtractedDocument } from "../../src/domain/document.ts";
import { blockLines, expectSoundBlocks } from "./sound-blocks.ts";

const extractor = createExtractor();

async function extract(markdown: string | Uint8Array): Promise<ExtractedDocument> {
  const bytes = typeof markdown === "string" ? new TextEncoder().encode(markdown) : markdown;
  const document = await extractor.extract({ bytes, mediaType: "text/markdown", url: "corpus:notes/file.md" });
  expectSoundBlocks(document);
  return document;
}

const fixture = (name: string): Promise<Uint8Array> => readFile(new URL(`../fixtures/corpus/${name}`, import.meta.url));

describe("a Markdown file", () => {
  it("becomes its metadata from the front matter, and every kind of block", async () => {
    const document = await extract(await fixture("guides/tidal-turbines.md"));
    expect(document).toMatchObject({
      title: "Tidal turbines in the Orrin Strait",
      publishedAt: "2024-03-18",
      author: "Maren Solheim",
      language: "en",
      url: "corpus:notes/file.md",
    });
    expect(blockLines(document)).toEqual([
      "heading1: Tidal turbines",
      "paragraph: The Orrin Strait array has fourteen turbines, each rated at 1.8 MW. It began to feed the island grid in September 2023.",
      "heading2: Maintenance",
      "paragraph: Blades are cleaned of barnacles every 90 days. A diver inspects the gearbox, and the nacelle is lifted once in five years.",
      "list-item1: Replace the shear pins",
      "list-item1: Check the seals",
      "list-item2: the inner seal",
      "list-item2: the outer seal",
      "heading2: Output",
      "table-row1: Year | Energy | Availability",
      "table-row: 2023 | 11 GWh | 88 %",
      "table-row: 2024 | 47 GWh | 93 %",
      "quote: The sea keeps a better timetable than the ferry.",
      "code: def energy(power, hours):\n    return power * hours",
    ]);
    expect(document.text).toContain("pins\nCheck the seals\nthe inner seal");
  });

  it("joins wrapped Chinese lines, and its language and date are detected", async () => {
    const document = await extract(await fixture("zh/salt-lake-battery.md"));
    expect(document).toMatchObject({ title: "青盐湖储能电站", language: "zh", publishedAt: "2025-04-09" });
    expect(document.text).toContain("电站的冷却水取自湖边的深井，每天用水约三百吨。");
  });

  it("takes its first heading as its title, or else its file name", async () => {
    expect((await extract("intro\n\n## Second\n\n# First\n")).title).toBe("First");
    expect((await extract("only a line")).title).toBe("file.md");
  });

  it("keeps the text of HTML, and drops images, comments and scripts", async () => {
    const markdown =
      "![badge](b.svg)\n\n<!-- note -->\n\n<div align=center><b>bold</b> text</div>\n\n<script>evil()</script>\n\na<br>b <i>c</i>\n";
    expect(blockLines(await extract(markdown))).toEqual(["paragraph: bold text", "paragraph: a b c"]);
  });

  it("reads a thematic break at its top as such, not as front matter", async () => {
    expect(blockLines(await extract("---\n\nFirst things first.\n\n---\n\nThen the rest.\n"))).toEqual([
      "paragraph: First things first.",
      "paragraph: Then the rest.",
    ]);
  });
});

import { expect, it } from "vitest";
import { createExtractor } from "../../src/documents/extract.ts";
import type { ExtractedDocument } from "../../src/domain/document.ts";
import { blockLines, expectSoundBlocks } from "./sound-blocks.ts";

const extractor = createExtractor();

async function extract(markdown: string): Promise<ExtractedDocument> {
  const document = await extractor.extract({
    bytes: new TextEncoder().encode(markdown),
    mediaType: "text/markdown",
    url: "corpus:notes/file.md",
  });
  expectSoundBlocks(document);
  return document;
}

it("of hundreds of kilobytes is read in sections, and no code fence or link reference is split", async () => {
  const section = "## Part\n\nSome *text* with [a link][ref] in it.\n\n```\n# no heading\n\nstill code\n```\n\n";
  const document = await extract(`${section.repeat(3_000)}[ref]: https://example.org\n`);
  expect(document.blocks).toHaveLength(9_000);
  expect(new Set(blockLines(document))).toEqual(
    new Set(["heading2: Part", "paragraph: Some text with a link in it.", "code: # no heading\n\nstill code"]),
  );
});

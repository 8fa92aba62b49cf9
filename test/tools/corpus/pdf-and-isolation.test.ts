import { describe, expect, it } from "vitest";
import { createExtractor } from "../../../src/documents/extract.ts";
import type { DocumentExtractor } from "../../../src/domain/ports/sources.ts";
import { DossierError } from "../../../src/errors.ts";
import { onePage } from "../../documents/pdf/make-pdf.ts";
import { corpusFolder, live } from "./corpus-folder.ts";

describe("a corpus with PDFs", () => {
  it("finds their text, and names those that cannot be read", async () => {
    const { write, corpus, search } = await corpusFolder();
    await write("birds.PDF", onePage({ x: 72, y: 700, text: "An osprey eats fish." }));
    await write("broken.pdf", "%PDF-1.7 and nothing else");
    const failed = [{ path: "broken.pdf", code: "unreadable", message: "The PDF is damaged: its structure cannot be read." }];
    expect(await corpus.sync(live())).toEqual({ files: 1, added: 2, changed: 0, removed: 0, failed, leftOut: [], ignored: 0 });
    expect(await search("osprey")).toEqual(["corpus:birds.PDF"]);
  });
});

describe("a sync whose extractor fails", () => {
  /** Runs the given function once instead of extracting, and extracts after that. */
  function failingOnce(first: (signal: AbortSignal | undefined) => Promise<never>): DocumentExtractor {
    const real = createExtractor();
    let calls = 0;
    return { extract: (input, signal) => (calls++ === 0 ? first(signal) : real.extract(input, signal)) };
  }

  it("because it was cancelled marks no file as failed", async () => {
    const controller = new AbortController();
    const extractor = failingOnce(async (signal) => {
      setImmediate(() => controller.abort());
      await new Promise((resolve) => signal?.addEventListener("abort", resolve));
      throw new DossierError("cancelled", "Stopped.");
    });
    const { write, corpus, search } = await corpusFolder({ extractor });
    await write("a.md", "An osprey.");
    await expect(corpus.sync(controller.signal)).rejects.toMatchObject({ code: "cancelled" });
    expect(await search("osprey")).toEqual(["corpus:a.md"]);
  });

  it("because of a defect in the program rejects, and marks no file as failed", async () => {
    const extractor = failingOnce(async () => {
      throw new DossierError("internal", "No process could be started.");
    });
    const { write, corpus, search } = await corpusFolder({ extractor });
    await write("a.md", "An osprey.");
    await expect(corpus.sync(live())).rejects.toMatchObject({ code: "internal" });
    expect(await search("osprey")).toEqual(["corpus:a.md"]);
  });
});

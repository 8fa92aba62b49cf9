import type { DocumentExtractor, DocumentReader } from "../domain/ports/document-reader.ts";
import type { SearchSource } from "../domain/ports/search-source.ts";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sourceIdOf } from "../domain/hit.ts";
export function createCorpus(o: { dir: string; databaseFile: string; extractor: DocumentExtractor }): SearchSource & DocumentReader & { close(): void } {
  return { id: "corpus", kind: "corpus", title: "Corpus", close() {},
    async search() { return readdirSync(o.dir, { recursive: true, encoding: "utf8" }).filter((f) => /\.(md|txt|html)$/.test(f)).map((f) => ({ id: sourceIdOf("corpus:" + f), kind: "corpus" as const, title: f, url: "corpus:" + f, publishedAt: null, foundBy: "corpus", contentHash: null, snippet: readFileSync(join(o.dir, f), "utf8").slice(0, 300) })); },
    async read(hit) { return o.extractor.extract({ bytes: readFileSync(join(o.dir, hit.url.slice(7))), mediaType: "", url: hit.url }); } };
}

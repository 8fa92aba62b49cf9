import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import { type Config, DOCUMENTATION_DIR } from "../config.ts";
import type { DocumentExtractor, DocumentReader } from "../domain/ports/document-reader.ts";
import { DossierError } from "../errors.ts";
import { type Corpus, createCorpus } from "../tools/corpus/corpus.ts";

/** Told of every file that is looked into. */
export type OnIndexed = (progress: { readonly done: number; readonly total: number }) => void;

/** The folder of the deployment as a source; each folder has an index of its own. */
export function openCorpus(config: Config, { onIndexed }: { readonly onIndexed?: OnIndexed }, extractor: DocumentExtractor): Corpus {
  const dir = resolve(config.CORPUS_DIR);
  const name = createHash("sha256").update(dir).digest("hex").slice(0, 12);
  return createCorpus({
    dir,
    databaseFile: join(resolve(config.DATA_DIR), `corpus-${name}.sqlite`),
    extractor,
    isDocumentation: dir === resolve(DOCUMENTATION_DIR),
    ...(onIndexed && { onProgress: onIndexed }),
  });
}

/** Files of the corpus are read for runs that may use it where the corpus found them; a page of the web that claims to be one is refused. */
export function readerOf(corpus: DocumentReader, web: DocumentReader): DocumentReader {
  return {
    async read(hit, context) {
      if (!hit.url.startsWith("corpus:")) return web.read(hit, context);
      if (context.scope.includes("corpus")) return (hit.foundBy === "corpus" ? corpus : web).read(hit, context);
      throw new DossierError("out_of_scope", `${hit.url} was not read: the scope of the run is ${context.scope.join(", ")}.`);
    },
  };
}

import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { readDocuments } from "../retrieval/beir-files.ts";
import { readCmrc } from "../retrieval/cmrc.ts";
import type { CollectionDocument } from "../retrieval/collection-corpus.ts";
import { paragraphsOf, readHotpot } from "../retrieval/hotpot.ts";

/** File name to the document's id in its collection. */
export type DocumentIds = ReadonlyMap<string, string>;

type WriteCollection = (data: string, folder: string) => Promise<DocumentIds>;

const PAGES = "extraction/article-extraction-benchmark/html";
const MORE_PAGES = "extraction/readability-selected";
const SUFFIX = ".html.gz";

/** For each collection, a function that writes its documents into a folder as files that a user could have. */
const COLLECTIONS: Readonly<Record<string, WriteCollection>> = {
  pages: writePages,
  hotpot: async (data, folder) => {
    const questions = await readHotpot(join(data, "retrieval/multihop/hotpot_distractor_200.jsonl"));
    const paragraphs = questions.flatMap((question) => paragraphsOf(question, false));
    return writeTexts([...new Map(paragraphs.map((one) => [one.id, one])).values()], folder);
  },
  cmrc: async (data, folder) => writeTexts((await readCmrc(join(data, "retrieval/zh/cmrc2018_dev.json"))).passages, folder),
  scifact: async (data, folder) => {
    const abstracts = await readDocuments(join(data, "retrieval/scifact/corpus.jsonl.gz"));
    return writeTexts(
      abstracts.map(({ _id, title, text }) => ({ id: _id, title, text })),
      folder,
    );
  },
};

/** Writes the documents of a collection into `folder`. @throws Error if no collection has that name */
export async function writeCollection(name: string, data: string, folder: string): Promise<DocumentIds> {
  const write = COLLECTIONS[name];
  if (write === undefined) throw new Error(`There is no collection ${name}. Use one of: ${Object.keys(COLLECTIONS).join(", ")}.`);
  await mkdir(folder, { recursive: true });
  return write(data, folder);
}

async function writePages(data: string, folder: string): Promise<DocumentIds> {
  const ids = new Map<string, string>();
  const write = async (id: string, html: Uint8Array): Promise<void> => {
    ids.set(`${id}.html`, id);
    await writeFile(join(folder, `${id}.html`), html);
  };
  for (const name of (await readdir(join(data, PAGES))).filter((one) => one.endsWith(SUFFIX)))
    await write(name.slice(0, -SUFFIX.length), gunzipSync(await readFile(join(data, PAGES, name))));
  for (const name of await readdir(join(data, MORE_PAGES))) await write(name, await readFile(join(data, MORE_PAGES, name, "source.html")));
  return ids;
}

async function writeTexts(documents: readonly CollectionDocument[], folder: string): Promise<DocumentIds> {
  const ids = new Map<string, string>();
  for (const [i, { id, title, text }] of documents.entries()) {
    ids.set(`${i}.md`, id);
    await writeFile(join(folder, `${i}.md`), title === "" ? text : `# ${title}\n\n${text}`);
  }
  return ids;
}

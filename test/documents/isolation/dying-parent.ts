// Reads a document, says in which process, and goes on with one that does what its argument says; then it just ends.
import { createIsolatedExtractor } from "../../../src/documents/isolation/isolated-extractor.ts";

const extractor = createIsolatedExtractor({ entry: new URL("./misbehaving-process.ts", import.meta.url), size: 1, timeoutMs: 120_000 });
const { text } = await extractor.extract({ bytes: new Uint8Array(), mediaType: "say who it is", url: "x" });
const [deed] = process.argv.slice(2);
const reading = deed === undefined ? null : extractor.extract({ bytes: new Uint8Array(), mediaType: deed, url: "x" });
setTimeout(() => console.log(text.split(" ")[1]), deed === undefined ? 0 : 500);
await reading;

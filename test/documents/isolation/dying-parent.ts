// Reads a document and prints the process id; then ends, closes first, or reads a document that asks this address and loops for ever.
import { createIsolatedExtractor } from "../../../src/documents/isolation/isolated-extractor.ts";

const extractor = createIsolatedExtractor({ entry: new URL("./misbehaving-process.ts", import.meta.url), size: 1, timeoutMs: 120_000 });
const { text } = await extractor.extract({ bytes: new Uint8Array(), mediaType: "say who it is", url: "x" });
const [next = "end"] = process.argv.slice(2);
const reading =
  next === "end" || next === "close"
    ? null
    : extractor.extract({ bytes: new Uint8Array(), mediaType: "ask, and loop for ever", url: next });
console.log(text.split(" ")[1]);
await reading;
if (next === "close") await extractor.close();

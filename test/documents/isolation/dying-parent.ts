// Reads a document and prints the process id; then ends, closes first, or reads on with a document that behaves as its argument says.
import { createIsolatedExtractor } from "../../../src/documents/isolation/isolated-extractor.ts";

const extractor = createIsolatedExtractor({ entry: new URL("./misbehaving-process.ts", import.meta.url), size: 1, timeoutMs: 120_000 });
const { text } = await extractor.extract({ bytes: new Uint8Array(), mediaType: "say who it is", url: "x" });
const [next = "end"] = process.argv.slice(2);
const reading = next === "end" || next === "close" ? null : extractor.extract({ bytes: new Uint8Array(), mediaType: next, url: "x" });
setTimeout(() => console.log(text.split(" ")[1]), reading === null ? 0 : 500);
await reading;
if (next === "close") await extractor.close();

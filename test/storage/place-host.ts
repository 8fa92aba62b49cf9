import { openStorage } from "../../src/storage/storage.ts";

/** Takes the only place of `models`, says so, and holds it until its input ends. */
const [dir = "", url = ""] = process.argv.slice(2);
const { limits } = await openStorage(dir, { postgres: { url, connections: 2 } });
await limits.enter("models", 1, { signal: new AbortController().signal });
process.stdout.write("entered\n");
process.stdin.resume();

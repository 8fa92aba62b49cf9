import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

// As in cli.ts: compiled code is kept from one start to the next.
enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/dossier/", import.meta.url)));
await import("./server/serve.ts");

import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

// See cli.ts.
enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/dossier/", import.meta.url)));
await import("./server/serve.ts");

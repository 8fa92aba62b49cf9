import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

// Caches compiled code, which halves the time of the next start. A read-only folder disables the cache.
enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/dossier/", import.meta.url)));
await import("./cli/main.ts");

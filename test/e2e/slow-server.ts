// The real service with scripted decisions and loopback tools: node slow-server.ts '{"home","toolsUrl","port"}'.
import { enableCompileCache } from "node:module";
import { join } from "node:path";

// Same as in src/server.ts: without the compile cache a start takes twice as long.
enableCompileCache(join(import.meta.dirname, "../../node_modules/.cache/dossier"));
const { compose } = await import("../../src/compose.ts");
const { readConfig } = await import("../../src/config.ts");
const { buildApp } = await import("../../src/http/build-app.ts");
const { scenarioParts } = await import("../chaos/tool-parts.ts");
const { localScope } = await import("../helpers/local-scope.ts");

const { home, toolsUrl, port } = JSON.parse(process.argv[2] ?? "{}") as { home: string; toolsUrl: string; port: number };
const parts = scenarioParts(toolsUrl);
// Public sources are out of scope: a run would wait for a network that does not exist.
const settings = { DATA_DIR: join(home, "data"), CORPUS_DIR: join(home, "corpus"), LOG_LEVEL: "silent", SOURCES: localScope(parts) };
const dossier = await compose(readConfig(settings), parts);
const { runs, threads, operations, tenancy, reports, logger, version } = dossier;
const app = await buildApp({ runs, threads, operations, tenancy, reports, logger, version, heartbeatMs: 200 });
process.once("SIGTERM", async () => {
  await dossier.drain(10_000);
  await app.close();
  await dossier.close(0);
  process.exit(0);
});
const address = await app.listen({ host: "127.0.0.1", port });
await dossier.recover();
process.stdout.write(`${address}\n`);

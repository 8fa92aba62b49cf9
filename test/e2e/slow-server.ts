// The real service with scripted decisions and tools on loopback: node slow-server.ts '{"home","toolsUrl","port"}'.
import { join } from "node:path";
import { compose } from "../../src/compose.ts";
import { readConfig } from "../../src/config.ts";
import { buildApp } from "../../src/http/build-app.ts";
import { scenarioParts } from "../chaos/tool-parts.ts";

const { home, toolsUrl, port } = JSON.parse(process.argv[2] ?? "{}") as { home: string; toolsUrl: string; port: number };
const config = readConfig({ DATA_DIR: join(home, "data"), CORPUS_DIR: join(home, "corpus"), LOG_LEVEL: "silent" });
const dossier = await compose(config, scenarioParts(toolsUrl));
const { runs, operations, reports, logger, version } = dossier;
const app = await buildApp({ runs, operations, reports, logger, version, heartbeatMs: 200 });
process.once("SIGTERM", async () => {
  await dossier.close(10_000, () => app.close());
  process.exit(0);
});
const address = await app.listen({ host: "127.0.0.1", port });
await dossier.recover();
process.stdout.write(`${address}\n`);

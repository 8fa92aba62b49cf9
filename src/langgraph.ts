import { join } from "node:path";
import { readSettings } from "./compose/settings.ts";
import { compose } from "./compose.ts";
import { DossierError } from "./errors.ts";
import { buildStandaloneGraph } from "./graphs/standalone.ts";

// The graphs that langgraph.json names, for LangGraph's own tools. Their folder is not the server's, so both can run at once.
const config = await readSettings();
const { standalone, prepare, logger } = await compose({ ...config, DATABASE_URL: undefined, DATA_DIR: join(config.DATA_DIR, "langgraph") });
prepare(new AbortController().signal).catch((error: unknown) => logger.warn({ err: error }, "corpus not indexed"));

function graphNamed(name: string) {
  const definition = standalone.graphs.get(name);
  if (definition === undefined) throw new DossierError("internal", `There is no graph ${name}.`);
  return buildStandaloneGraph(definition, standalone);
}

export const executor = graphNamed("executor");
export const agent = graphNamed("agent");
export const team = graphNamed("team");
export const research = graphNamed("research");

import type { Told } from "../fakes/model-server/behavior.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { seenOf } from "../fakes/providers/seen-script.ts";
import { openProvider } from "../fakes/providers/serve.ts";
import { type ServerUnderTest, settingsFor } from "../providers/servers.ts";
import type { CallServer, Scenario } from "./crashing-run.ts";
import { AGENT_SCENARIO, agentDoes, EXECUTOR_SCENARIO, executorDoes, nameOf, OPEN_AFTER } from "./graph-scenarios.ts";

const GRAPHS = {
  executor: { scenario: EXECUTOR_SCENARIO, does: executorDoes },
  agent: { scenario: AGENT_SCENARIO, does: agentDoes },
};

/** A run of a graph whose model speaks the protocol of a provider. */
export function providerScenario(graph: keyof typeof GRAPHS, under: ServerUnderTest): Scenario {
  const { scenario, does } = GRAPHS[graph];
  const startServer = async (): Promise<CallServer> => {
    const calls: string[] = [];
    const { url, close } = await openProvider(under.provider(), (request) => {
      const seen = seenOf(request);
      const nth = calls.push(nameOf(seen.body.messages)) - 1;
      const said = withOwnCount(does(seen));
      // An answer that ends makes one event of reasoning.
      const stays = nth >= (server.openFrom ?? Number.POSITIVE_INFINITY);
      return stays ? say.hang({ after: OPEN_AFTER, of: said }) : { ...said, reasoning: "想" };
    });
    const server: CallServer = { url, calls, close };
    return server;
  };
  return { ...scenario, startServer, settings: (url) => settingsFor(under, url) };
}

/** The server counts the tokens itself. */
function withOwnCount(said: Told): Told {
  const { usage: _, ...rest } = said;
  return rest;
}

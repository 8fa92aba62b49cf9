import type { Operations, SourceState } from "../domain/ports/operations.ts";
import type { Team } from "../domain/team.ts";
import { DossierError } from "../errors.ts";
import type { GraphRegistry } from "../graphs/registry.ts";
import type { Engine } from "../runs/engine.ts";
import type { Storage } from "../storage/sqlite/open-storage.ts";
import type { Observed } from "../tools/source-health.ts";

/** What is told of the service: its graphs, its sources and tools (`observed`, and `further`: those that lack a setting, and servers), and whether it takes runs. */
export function operationsOf(
  graphs: GraphRegistry,
  observed: readonly Observed[],
  further: () => readonly SourceState[],
  storage: Storage,
  engine: Engine,
  teams: ReadonlyMap<string, Team>,
): Operations {
  return {
    graphs: () => [...graphs.values()].map(({ name, description }) => ({ name, description })),
    graph(name) {
      const definition = graphs.get(name);
      if (definition === undefined) throw new DossierError("not_found", `There is no graph ${name}.`);
      if (name !== "team") return definition.picture;
      const listed = [...teams].map(([name, { pattern, children }]) => ({ name, pattern, children: children.map(({ id }) => id) }));
      return { ...definition.picture, teams: listed };
    },
    sources: () => [...observed.map((one) => one.state()), ...further()],
    async ready() {
      if (engine.draining) throw new DossierError("draining", "The server is shutting down.");
      await storage.check();
    },
  };
}

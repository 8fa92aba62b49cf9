import { expect } from "vitest";
import type { Parts } from "../../../src/compose/parts.ts";
import type { RunEvent } from "../../../src/domain/events.ts";
import type { ResearchRequest } from "../../../src/domain/request.ts";
import type { Run } from "../../../src/domain/run.ts";
import type { Script } from "../../fakes/model-server/script.ts";
import type { ModelServer, ModelServerOptions } from "../../fakes/model-server/serve.ts";
import { startModelServer } from "../../fakes/model-server.ts";
import { openDossier, type TestDossier } from "../../helpers/open-dossier.ts";

export interface Asked {
  readonly run: Run;
  readonly events: readonly RunEvent[];
  of<T extends RunEvent["type"]>(type: T): Extract<RunEvent, { type: T }>[];
}

export interface AgentUnderTest {
  readonly dossier: TestDossier;
  readonly server: ModelServer;
  ask(question: string, more?: Partial<ResearchRequest>): Promise<Asked>;
}

export interface AgentOptions {
  readonly parts?: Parts;
  readonly server?: ModelServerOptions;
  readonly environment?: Readonly<Record<string, string>>;
}

/** The whole program with a scripted model server, which refuses what OpenAI's would refuse. */
export async function startAgent(
  script: Script,
  { parts = {}, server: abilities = {}, environment = {} }: AgentOptions = {},
): Promise<AgentUnderTest> {
  const server = await startModelServer(script, abilities);
  const dossier = await openDossier({
    parts: { tools: [], ...parts },
    environment: { OPENAI_BASE_URL: server.url, OPENAI_MODEL: "scripted", SOURCES: "corpus", ...environment },
  });
  return {
    dossier,
    server,
    async ask(question, more = {}) {
      const { id } = await dossier.start({ graph: "agent", question, ...more });
      return watch(dossier, id);
    },
  };
}

/** Waits until a run has ended or waits; returns it with its events. */
export async function watch(dossier: TestDossier, id: string): Promise<Asked> {
  const run = await dossier.finish(id);
  const events = await dossier.events(id);
  return {
    run,
    events,
    of: (type) => events.filter((event) => event.type === type) as never,
  };
}

/** Returns the messages that runs added to a thread: those of its last request and its answer, without the system message. */
export function expectNoRefusal({ server }: AgentUnderTest): void {
  expect(server.refused).toEqual([]);
  expect(server.unexpected).toEqual([]);
}

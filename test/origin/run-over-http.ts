import type { Parts } from "../../src/compose/parts.ts";
import type { RunEvent } from "../../src/domain/events.ts";
import type { Run } from "../../src/domain/run.ts";
import type { Script } from "../fakes/model-server/script.ts";
import type { ModelServer } from "../fakes/model-server/serve.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { startService } from "../helpers/start-service.ts";

interface Asked {
  readonly run: Run;
  readonly events: readonly RunEvent[];
  of<T extends RunEvent["type"]>(type: T): Extract<RunEvent, { type: T }>[];
}

export interface ServiceWithModel {
  readonly url: string;
  readonly model: ModelServer;
  /** Posts a request and returns the run when it has ended or waits. */
  ask(body: Readonly<Record<string, unknown>>): Promise<Asked>;
  /** Answers the question that the run waits for. */
  answer(run: Run, answer: string): Promise<Asked>;
}

/** The whole service behind a socket, and a scripted model server behind another one. */
export async function startWithModel(
  script: Script,
  { parts = {}, environment = {} }: { readonly parts?: Parts; readonly environment?: Readonly<Record<string, string>> } = {},
): Promise<ServiceWithModel> {
  const model = await startModelServer(script);
  const own = { OPENAI_BASE_URL: model.url, OPENAI_MODEL: "scripted", SOURCES: "corpus" };
  const service = await startService({ parts: { tools: [], ...parts }, environment: { ...own, ...environment } });
  const send = async (path: string, body: unknown): Promise<Run> => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${service.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    return (await response.json()) as Run;
  };
  const watch = async ({ id }: Run): Promise<Asked> => {
    await service.finish(id);
    const run = (await (await fetch(`${service.url}/research/${id}`)).json()) as Run;
    const events = await service.events(id);
    return { run, events, of: (type) => events.filter((event) => event.type === type) as never };
  };
  return {
    url: service.url,
    model,
    ask: async (body) => watch(await send("/research", body)),
    answer: async (run, answer) => watch(await send(`/research/${run.id}/answer`, { answer })),
  };
}

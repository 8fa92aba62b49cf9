import type { RunEvent } from "../../src/domain/events.ts";
import type { ResearchRequest } from "../../src/domain/request.ts";
import type { Run } from "../../src/domain/run.ts";
import type { Script } from "../fakes/model-server/script.ts";
import type { ModelServer, ModelServerOptions } from "../fakes/model-server/serve.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { type OpenOptions, openDossier, type TestDossier } from "./open-dossier.ts";

export interface Asked {
  readonly dossier: TestDossier;
  readonly model: ModelServer;
  readonly run: Run;
  readonly events: RunEvent[];
  of<T extends RunEvent["type"]>(type: T): Extract<RunEvent, { type: T }>[];
}

export interface ModelOptions extends OpenOptions {
  readonly server?: ModelServerOptions;
}

/** The real program with a scripted model server. */
export async function openWithModel(script: Script, { server, environment, ...options }: ModelOptions = {}) {
  const model = await startModelServer(script, server);
  const own = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "sk-test", OPENAI_MODEL: "scripted", MODEL_PRICES: "" };
  const dossier = await openDossier({ ...options, environment: { ...own, ...environment } });
  return { model, dossier };
}

/** One run from its question until it ends or waits. */
export async function askModel(
  script: Script,
  request: Partial<ResearchRequest> & { question: string },
  options: ModelOptions = {},
): Promise<Asked> {
  const { model, dossier } = await openWithModel(script, options);
  const { id } = await dossier.start(request);
  const run = await dossier.finish(id);
  const events = await dossier.events(id);
  const of: Asked["of"] = (type) => events.filter((event) => event.type === type) as never;
  return { dossier, model, run, events, of };
}

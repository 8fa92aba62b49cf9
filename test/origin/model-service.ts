import type { Run } from "../../src/domain/run.ts";
import { type RoleAnswers, roleScript } from "../fakes/model-server/role-script.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { ROLES } from "../fakes/scripted-roles.ts";
import type { OpenOptions } from "../helpers/open-dossier.ts";
import { startService } from "../helpers/start-service.ts";

/** The whole service over HTTP, with scripted roles on a model server of their own. */
export async function startModelService(answers: Readonly<Record<string, RoleAnswers>>, { environment, parts, ...more }: OpenOptions = {}) {
  const model = await startModelServer(roleScript({ ...ROLES, ...answers }));
  const own = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "sk-test", OPENAI_MODEL: "scripted" };
  const service = await startService({ ...more, parts: { tools: [], ...parts }, environment: { ...own, ...environment } });
  const ask = async (body: Readonly<Record<string, unknown>>) => (await service.ask({ graph: "research", ...body })) as Run;
  return { ...service, model, ask };
}

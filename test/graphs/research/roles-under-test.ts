import { expect } from "vitest";
import { VERIFIER } from "../../../src/analyst/research-roles.ts";
import { replay } from "../../../src/compose.ts";
import type { ResearchRequest } from "../../../src/domain/request.ts";
import { readRecording } from "../../../src/journal/recording-file.ts";
import { askedRole, type RoleAnswers, roleScript } from "../../fakes/model-server/role-script.ts";
import type { SeenRequest } from "../../fakes/model-server/seen-request.ts";
import { ROLES } from "../../fakes/scripted-roles.ts";
import { type Asked, askModel, type ModelOptions } from "../../helpers/with-model.ts";

/** One run of the graph with scripted roles, until it ends or waits. */
export function researchByModel(
  answers: Readonly<Record<string, RoleAnswers>>,
  request: Partial<ResearchRequest> & { question: string },
  options: ModelOptions = {},
): Promise<Asked> {
  return askModel(
    roleScript({ ...ROLES, ...answers }),
    { graph: "research", ...request },
    { ...options, parts: { tools: [], ...options.parts } },
  );
}

/** Returns the requests of a role, in order. */
export const askedOf = ({ model }: Pick<Asked, "model">, role: string): SeenRequest[] =>
  model.requests.filter((request) => askedRole(request, [role]) === role);

/** Expects that the recording of the run replays to the same events. */
export async function expectReplay({ dossier, run }: Pick<Asked, "dossier" | "run">, parts: ModelOptions["parts"] = {}): Promise<void> {
  const recording = await readRecording(await dossier.recordingLines(run.id));
  const again = await replay(recording, { tools: [], judges: [VERIFIER], ...parts });
  expect(again.difference).toBeNull();
  expect(again.events).toEqual(recording.events);
}

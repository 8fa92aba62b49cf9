import { relative } from "node:path";
import { type Models, modelOf } from "../domain/request.ts";
import { type ModelRole, ModelRoleSchema, ROLES } from "../domain/roles.ts";
import { faultLine, type PromptInForce, type PromptsInForce, readPrompts } from "../prompts/read-prompts.ts";
import { tableLines } from "./table.ts";

export interface PromptListing {
  readonly text: string;
  /** Whether the service would start with these prompts. */
  readonly holds: boolean;
}

type OwnModels = Pick<Models, "default" | "roles"> | null;

/** Roles, models, placeholders and the files in force, or every fault of the prompts; as JSON on one line, or for a terminal. */
export async function listPrompts(folder: string | undefined, models: OwnModels, json: boolean): Promise<PromptListing> {
  const found = await readPrompts({ folder });
  const holds = found.faults.length === 0;
  if (json) return { text: `${JSON.stringify(toJson(found, models))}\n`, holds };
  const lines = holds ? listLines(found.prompts, models) : found.faults.map(faultLine);
  return { text: `${lines.join("\n")}\n`, holds };
}

const ROLE_NAMES = ModelRoleSchema.options;

function toJson({ prompts, faults }: PromptsInForce, models: OwnModels) {
  return {
    // Null without a model; an empty name stands for the one that the server offers first.
    roles: ROLE_NAMES.map((role) => ({ role, does: ROLES[role].does, model: models === null ? null : modelOf(models, role) })),
    prompts: prompts.map(({ name, role, placeholders, from, file, sha256 }) => ({ name, role, placeholders, from, file, sha256 })),
    faults,
  };
}

function listLines(prompts: readonly PromptInForce[], models: OwnModels): string[] {
  const none = ["", "No model is set (OPENAI_BASE_URL, OPENAI_API_KEY): rules do the work,", "and no prompt is used."];
  return [
    ...tableLines([["ROLE", "MODEL", "WHAT IT DOES"], ...ROLE_NAMES.map((role) => [role, modelName(models, role), ROLES[role].does])]),
    ...(models === null ? none : []),
    "",
    ...tableLines([
      ["PROMPT", "SHA-256", "PLACEHOLDERS"],
      ...prompts.map(({ name, sha256, placeholders }) => [name, sha256.slice(0, 12), placeholders.map((one) => `{{${one}}}`).join(" ")]),
    ]),
    "",
    ...tableLines([["PROMPT", "FROM", "FILE"], ...prompts.map(({ name, from, file }) => [name, from, shortPath(file)])]),
  ];
}

function modelName(models: OwnModels, role: ModelRole): string {
  if (models === null) return "-";
  return modelOf(models, role) || "(the server's first)";
}

/** From the working folder, where the file stands in it. */
function shortPath(file: string): string {
  const path = relative(process.cwd(), file);
  return path.startsWith("..") ? file : path;
}

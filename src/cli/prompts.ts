import { relative } from "node:path";
import { configuredModels } from "../compose/models.ts";
import { readConfig } from "../config.ts";
import { type Models, modelOf } from "../domain/request.ts";
import { type ModelRole, ModelRoleSchema, ROLES } from "../domain/roles.ts";
import { faultLine, type PromptInForce, type PromptsInForce, readPrompts } from "../models/prompts.ts";
import { print, type Terminal, tableLines } from "./terminal.ts";

export async function prompts(terminal: Terminal, json: boolean): Promise<number> {
  const config = readConfig(terminal.env);
  const { text, holds } = await listPrompts(config.PROMPTS_DIR, configuredModels(config), json);
  print(terminal, text);
  return holds ? 0 : 1;
}

type OwnModels = Pick<Models, "default" | "roles"> | null;

export async function listPrompts(folder: string | undefined, models: OwnModels, json: boolean): Promise<{ text: string; holds: boolean }> {
  const found = await readPrompts({ folder });
  const holds = found.faults.length === 0;
  if (json) return { text: `${JSON.stringify(toJson(found, models))}\n`, holds };
  const lines = holds ? listLines(found.prompts, models) : found.faults.map(faultLine);
  return { text: `${lines.join("\n")}\n`, holds };
}

const ROLE_NAMES = ModelRoleSchema.options;

function toJson({ prompts, faults }: PromptsInForce, models: OwnModels) {
  return {
    // `model` is null if no model is configured. An empty name means the first model of the server.
    roles: ROLE_NAMES.map((role) => ({ role, does: ROLES[role].does, model: models === null ? null : modelOf(models, role) })),
    prompts: prompts.map(({ text: _, ...prompt }) => prompt),
    faults,
  };
}

function listLines(prompts: readonly PromptInForce[], models: OwnModels): string[] {
  const none = ["", "No model is set (MODEL, OPENAI_BASE_URL or OPENAI_API_KEY): rules do the work,", "and no prompt is used."];
  const modelName = (role: ModelRole): string => (models === null ? "-" : modelOf(models, role) || "(the server's first)");
  return [
    ...tableLines([["ROLE", "MODEL", "WHAT IT DOES"], ...ROLE_NAMES.map((role) => [role, modelName(role), ROLES[role].does])]),
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

function shortPath(file: string): string {
  const path = relative(process.cwd(), file);
  return path.startsWith("..") ? file : path;
}

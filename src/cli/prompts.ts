import { relative } from "node:path";
import { ownModels } from "../compose/models.ts";
import { readConfig } from "../config.ts";
import { type Models, modelOf } from "../domain/request.ts";
import { type ModelRole, ModelRoleSchema, ROLES } from "../domain/roles.ts";
import { faultLine, type PromptInForce, type PromptsInForce, readPrompts } from "../models/prompts.ts";
import { print } from "./terminal.ts";

/** The prompts in force and 0, or every fault and 1. */
export async function prompts(json: boolean): Promise<number> {
  const config = readConfig();
  const { text, holds } = await listPrompts(config.PROMPTS_DIR, ownModels(config), json);
  print(text);
  return holds ? 0 : 1;
}

interface PromptListing {
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

/** What a terminal has at least, in columns. */
const WIDTH = 80;
/** A cell that is wider than this ends its line; the cells after it go on under their heads. */
const MAX_CELL = 30;
const GAP = "  ";

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u;
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** How many columns of a terminal a text takes: two for each character of Chinese, Japanese and Korean. */
export function displayWidth(text: string): number {
  return [...text].reduce((sum, character) => sum + (NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1), 0);
}

/** The rows in aligned columns, as lines; the last column is broken between words, so that only a single word can be wider than 80. */
export function tableLines(rows: readonly (readonly string[])[]): string[] {
  const before = Math.max(0, ...rows.map((row) => row.length - 1));
  const widths = Array.from({ length: before }, (_, column) => Math.max(...rows.map((row) => fittingWidth(row[column] ?? ""))));
  return rows.flatMap((row) => rowLines(row, widths));
}

function fittingWidth(cell: string): number {
  const width = displayWidth(cell);
  return width > MAX_CELL ? 0 : width;
}

function rowLines(row: readonly string[], widths: readonly number[]): string[] {
  const lines: string[] = [];
  let line = "";
  for (const [column, width] of widths.entries()) {
    const cell = row[column] ?? "";
    line += cell;
    if (displayWidth(cell) > width) {
      lines.push(line);
      line = blank(widths.slice(0, column + 1));
    } else line += " ".repeat(width - displayWidth(cell)) + GAP;
  }
  const indent = blank(widths);
  for (const word of (row.at(-1) ?? "").split(" ")) {
    const fits = displayWidth(line) + displayWidth(word) <= WIDTH;
    if (!fits && line.trim() !== "") lines.push(line);
    const start = displayWidth(indent) + displayWidth(word) <= WIDTH ? indent : GAP;
    line = `${fits ? line : start}${word} `;
  }
  return [...lines, line].map((one) => one.trimEnd());
}

function blank(widths: readonly number[]): string {
  return widths.map((width) => " ".repeat(width) + GAP).join("");
}

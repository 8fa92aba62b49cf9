import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { PromptTemplate } from "@langchain/core/prompts";
import type { PromptHashes, RenderPrompt } from "../domain/ports/models.ts";
import { checkTemplate, completeTemplate, type TemplateFault } from "../domain/prompt-template.ts";
import { type PromptPlace, promptPlaces, ROLES, type Roles } from "../domain/roles.ts";
import { DossierError } from "../errors.ts";

const MESSAGES = "messages";
const MAX_FAULTS = 100;

async function readFolder(folder: string, places: readonly PromptPlace[]) {
  const files = new Map<string, { file: string; text: string }>();
  const faults: PromptFault[] = [];
  for (const name of await entriesOf(folder, faults)) {
    if (faults.length >= MAX_FAULTS) break;
    const file = join(folder, name);
    const place = places.find((one) => `${one.name}.md` === name);
    const text = place === undefined ? null : await readText(file, faults);
    if (place === undefined) faults.push({ file, line: 1, message: whyUnknown(name, places) });
    else if (text !== null) files.set(place.name, { file, text });
  }
  return { files, faults };
}

async function entriesOf(folder: string, faults: PromptFault[]): Promise<string[]> {
  try {
    const entries = (await readdir(folder)).filter(isVisible);
    const messages = entries.includes(MESSAGES) && (await stat(join(folder, MESSAGES))).isDirectory();
    const messageFiles = messages ? (await readdir(join(folder, MESSAGES))).filter(isVisible).map((name) => `${MESSAGES}/${name}`) : [];
    return [...entries.filter((name) => !messages || name !== MESSAGES).sort(), ...messageFiles.sort()];
  } catch (error) {
    faults.push({ file: folder, line: 1, message: `the folder cannot be read: ${messageOf(error)}` });
    return [];
  }
}

function isVisible(name: string): boolean {
  return !name.startsWith(".") && !name.endsWith("~") && name.toLowerCase() !== "readme.md";
}

/** Line ends become LF, so that every checkout has the same hashes. */
async function readText(file: string, faults: PromptFault[]): Promise<string | null> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(file)).replaceAll("\r\n", "\n");
  } catch (error) {
    const message = error instanceof TypeError ? "the file is not UTF-8" : `the file cannot be read: ${messageOf(error)}`;
    faults.push({ file, line: 1, message });
    return null;
  }
}

function whyUnknown(name: string, places: readonly PromptPlace[]): string {
  const moved = places.find((place) => place.name === `${MESSAGES}/${name.replace(/\.md$/, "")}`);
  if (moved !== undefined) return `messages to a role after its template belong in ${MESSAGES}/: move it to ${moved.name}.md`;
  return `there is no prompt of that name; there are: ${places.map((place) => `${place.name}.md`).join(", ")}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const BUILT_IN = join(import.meta.dirname, "..", "..", "prompts");

interface PromptOptions {
  readonly folder?: string | undefined;
  readonly builtIn?: string;
  readonly roles?: Roles;
}

export interface PromptInForce extends PromptPlace {
  readonly file: string;
  readonly from: "built-in" | "replaced";
  readonly text: string;
  readonly sha256: string;
  /** The placeholders that the file lacks. */
  readonly appended: readonly string[];
}

export interface PromptsInForce {
  readonly prompts: readonly PromptInForce[];
  readonly faults: readonly PromptFault[];
}

/** Never throws. Problems are listed in `faults`, and faulty prompts are left out. */
export async function readPrompts({ folder, builtIn = BUILT_IN, roles = ROLES }: PromptOptions = {}): Promise<PromptsInForce> {
  const places = promptPlaces(roles);
  const own = await readFolder(builtIn, places);
  const replacing = folder === undefined ? null : await readFolder(folder, places);
  const prompts: PromptInForce[] = [];
  const faults = [...own.faults, ...(replacing?.faults ?? [])];
  for (const place of places) {
    const replaced = replacing?.files.get(place.name);
    const { file, text } = replaced ?? own.files.get(place.name) ?? { file: join(builtIn, `${place.name}.md`), text: null };
    if (text === null && !own.faults.some((fault) => fault.file === file)) faults.push({ file, line: 1, message: "the file is missing" });
    if (text === null) continue;
    const wrong = checkTemplate(text, place.placeholders);
    faults.push(...wrong.map((fault) => ({ file, ...fault })));
    const from = replaced === undefined ? "built-in" : "replaced";
    if (wrong.length === 0) prompts.push({ ...place, file, from, ...completeTemplate(text, place.placeholders) });
  }
  return { prompts, faults };
}

export function faultLine({ file, line, message }: PromptFault): string {
  return `${file}:${line}: ${message}`;
}

interface PromptFault extends TemplateFault {
  readonly file: string;
}

const MAX_LISTED = 20;
const FORMAT = { templateFormat: "mustache", validateTemplate: false } as const;

export interface Prompts {
  readonly render: RenderPrompt;
  readonly inForce: readonly PromptInForce[];
  hashesOf(roles: readonly string[]): PromptHashes;
}

/** @throws DossierError `config_invalid` with the file and line of each fault */
export async function loadPrompts(options: PromptOptions = {}): Promise<Prompts> {
  const { prompts, faults } = await readPrompts(options);
  if (faults.length > 0) {
    const listed = faults.slice(0, MAX_LISTED).map(faultLine).join("\n");
    const more = faults.length > MAX_LISTED ? `\nand ${faults.length - MAX_LISTED} more` : "";
    throw new DossierError(
      "config_invalid",
      `The prompts are wrong. Nothing was started; correct them and start again.\n${listed}${more}`,
      { faults: faults.map(({ file, line, message }) => ({ path: `${file}:${line}`, message })) },
    );
  }
  const templates = new Map(prompts.map(({ name, text }) => [name, PromptTemplate.fromTemplate(text, FORMAT)]));
  return {
    inForce: prompts,
    async render(name, values, own) {
      const text = own?.[name];
      const template = text === undefined ? templates.get(name) : PromptTemplate.fromTemplate(text, FORMAT);
      const missing = template?.inputVariables.filter((place) => !Object.hasOwn(values, place));
      if (template === undefined || missing === undefined || missing.length > 0)
        throw new DossierError(
          "internal",
          `The prompt ${name} cannot be rendered: ${missing ? `no value for ${missing.join(", ")}` : "it does not exist"}.`,
        );
      return template.format({ ...values });
    },
    hashesOf: (roles) => Object.fromEntries(prompts.flatMap(({ name, role, sha256 }) => (roles.includes(role) ? [[name, sha256]] : []))),
  };
}

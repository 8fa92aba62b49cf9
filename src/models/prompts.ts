import { isUtf8 } from "node:buffer";
import { readdir, readFile } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { PromptTemplate } from "@langchain/core/prompts";
import type { PromptHashes, RenderPrompt } from "../domain/ports/models.ts";
import { checkTemplate, completeTemplate, type TemplateFault } from "../domain/prompt-template.ts";
import { type PromptPlace, promptPlaces, ROLES, type Roles } from "../domain/roles.ts";
import { DossierError } from "../errors.ts";

const MESSAGES = "messages";
const MAX_FAULTS = 20;

async function readFolder(folder: string, places: readonly PromptPlace[]) {
  const files = new Map<string, { file: string; text: string }>();
  const faults: PromptFault[] = [];
  const addFault = (file: string, message: string): void => void faults.push({ file, line: 1, message });
  const names = await readdir(folder, { recursive: true }).catch((error: Error) => {
    addFault(folder, `the folder cannot be read: ${error.message}`);
    return [];
  });
  for (const name of names.filter(isPrompt).sort()) {
    if (faults.length >= MAX_FAULTS) break;
    const file = join(folder, name);
    const place = places.find((one) => `${one.name}.md` === name);
    const bytes = place === undefined ? null : await readFile(file).catch((error: Error) => error);
    if (place === undefined || bytes === null)
      addFault(file, `there is no prompt of that name; there are: ${places.map((one) => `${one.name}.md`).join(", ")}`);
    else if (bytes instanceof Error) addFault(file, `the file cannot be read: ${bytes.message}`);
    else if (!isUtf8(bytes)) addFault(file, "the file is not UTF-8");
    // Line ends become LF, so that every checkout has the same hashes.
    else files.set(place.name, { file, text: new TextDecoder().decode(bytes).replaceAll("\r\n", "\n") });
  }
  return { files, faults };
}

/** Hidden files, copies of editors and the README are none. */
function isPrompt(path: string): boolean {
  const hidden = path.split(sep).some((name) => name.startsWith(".") || name.endsWith("~"));
  return path !== MESSAGES && !hidden && basename(path).toLowerCase() !== "readme.md";
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
    const listed = faults.map(faultLine).join("\n");
    throw new DossierError("config_invalid", `The prompts are wrong. Nothing was started; correct them and start again.\n${listed}`, {
      faults: faults.map(({ file, line, message }) => ({ path: `${file}:${line}`, message })),
    });
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

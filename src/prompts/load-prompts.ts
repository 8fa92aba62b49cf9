import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { PromptTemplate } from "@langchain/core/prompts";
import type { RenderPrompt } from "../domain/ports/prompts.ts";
import { DossierError } from "../errors.ts";

const BUILT_IN = join(import.meta.dirname, "..", "..", "prompts");
const MAX_LENGTH = 100_000;
const PLACE = /\{\{([^{}]*)\}\}/g;
const NAME = /^[a-zA-Z]\w*$/;

interface Template {
  readonly file: string;
  readonly text: string;
  readonly places: readonly string[];
}

/**
 * All prompts, read once: the built-in ones, and in their place files of the same name in `folder`, which must have the same places.
 * What is rendered has its values as they are.
 * @throws DossierError `config_invalid` that names file and line
 */
export async function loadPrompts(folder?: string, builtIn = BUILT_IN): Promise<RenderPrompt> {
  const templates = await readFolder(builtIn);
  const replacing = folder === undefined ? new Map<string, Template>() : await readFolder(folder);
  for (const [name, template] of replacing) {
    const replaced = templates.get(name);
    if (replaced === undefined)
      throw invalid(template.file, 1, `there is no prompt of that name; there are: ${[...templates.keys()].join(", ")}`);
    checkPlaces(template, replaced.places);
  }
  const prompts = new Map([...templates, ...replacing].map(([name, { text }]) => [name, PromptTemplate.fromTemplate(text, FORMAT)]));
  return async (name, values) => {
    const prompt = prompts.get(name);
    const missing = prompt?.inputVariables.filter((place) => !Object.hasOwn(values, place));
    if (prompt === undefined || missing === undefined || missing.length > 0)
      throw new DossierError("internal", `The prompt ${name} was asked for without ${missing?.join(", ") ?? "being there"}.`);
    return prompt.format({ ...values });
  };
}

const FORMAT = { templateFormat: "mustache", validateTemplate: false } as const;

async function readFolder(folder: string): Promise<Map<string, Template>> {
  try {
    const files = (await readdir(folder)).filter((file) => file.endsWith(".md") && file !== "README.md").sort();
    return new Map(await Promise.all(files.map(async (file) => [basename(file, ".md"), await readTemplate(join(folder, file))] as const)));
  } catch (cause) {
    if (cause instanceof DossierError) throw cause;
    const told = cause instanceof Error ? cause.message : String(cause);
    throw new DossierError("config_invalid", `The prompts in ${folder} cannot be read: ${told}. Set PROMPTS_DIR right and start again.`, {
      cause,
    });
  }
}

async function readTemplate(file: string): Promise<Template> {
  const text = (await readFile(file, "utf8")).trim();
  if (text === "") throw invalid(file, 1, "the file is empty");
  if (text.length > MAX_LENGTH) throw invalid(file, 1, `the file has more than ${MAX_LENGTH} characters`);
  const places = new Set<string>();
  for (const { 0: tag, 1: inside = "", index } of text.matchAll(PLACE)) {
    if (!NAME.test(inside))
      throw invalid(file, lineOf(text, index), `${tag} is no place; a place is a name in two braces, such as {{language}}`);
    places.add(inside);
  }
  return { file, text, places: [...places] };
}

function checkPlaces({ file, text, places }: Template, wanted: readonly string[]): void {
  const list = wanted.map((place) => `{{${place}}}`).join(", ");
  for (const place of places.filter((one) => !wanted.includes(one)))
    throw invalid(file, lineOf(text, text.indexOf(`{{${place}}}`)), `{{${place}}} is not known here; there are: ${list}`);
  for (const place of wanted.filter((one) => !places.includes(one)))
    throw invalid(file, lineOf(text, text.length), `{{${place}}} is missing`);
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

function invalid(file: string, line: number, fault: string): DossierError {
  return new DossierError("config_invalid", `${file}:${line}: ${fault}. Nothing was started; set it right and start again.`);
}

import { PromptTemplate } from "@langchain/core/prompts";
import type { PromptHashes, RenderPrompt } from "../domain/ports/models.ts";
import { DossierError } from "../errors.ts";
import { faultLine, type PromptOptions, readPrompts } from "./read-prompts.ts";

/** So many faults a message tells; `npm run prompts` tells them all. */
const MAX_TOLD = 20;
const FORMAT = { templateFormat: "mustache", validateTemplate: false } as const;

/** The prompts of a deployment, read once. */
export interface Prompts {
  readonly render: RenderPrompt;
  /** The templates of these roles, with all that is said to them. */
  hashesOf(roles: readonly string[]): PromptHashes;
}

/**
 * All prompts: the built-in ones, and in their place files of the same path in `folder`.
 * @throws DossierError `config_invalid` that names every fault with file and line
 */
export async function loadPrompts(options: PromptOptions = {}): Promise<Prompts> {
  const { prompts, faults } = await readPrompts(options);
  if (faults.length > 0) {
    const told = faults.slice(0, MAX_TOLD).map(faultLine).join("\n");
    const more = faults.length > MAX_TOLD ? `\nand ${faults.length - MAX_TOLD} more` : "";
    throw new DossierError(
      "config_invalid",
      `The prompts are wrong. Nothing was started; set them right and start again.\n${told}${more}`,
      {
        faults: faults.map(({ file, line, message }) => ({ path: `${file}:${line}`, message })),
      },
    );
  }
  const templates = new Map(prompts.map(({ name, text }) => [name, PromptTemplate.fromTemplate(text, FORMAT)]));
  return {
    async render(name, values) {
      const template = templates.get(name);
      const missing = template?.inputVariables.filter((place) => !Object.hasOwn(values, place));
      if (template === undefined || missing === undefined || missing.length > 0)
        throw new DossierError("internal", `The prompt ${name} was asked for without ${missing?.join(", ") ?? "being there"}.`);
      return template.format({ ...values });
    },
    hashesOf: (roles) => Object.fromEntries(prompts.flatMap(({ name, role, sha256 }) => (roles.includes(role) ? [[name, sha256]] : []))),
  };
}

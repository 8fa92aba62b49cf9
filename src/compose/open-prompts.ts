import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RenderPrompt } from "../domain/ports/prompts.ts";
import { DossierError } from "../errors.ts";

const OWN = fileURLToPath(new URL("../../prompts", import.meta.url));

/** The prompts of a folder, by default the program's own. @throws DossierError `config_invalid` when one is asked for that is not there */
export function openPrompts(dir: string = OWN): RenderPrompt {
  const texts = new Map<string, string>();
  return async (name, values) => {
    const text = texts.get(name) ?? read(join(dir, `${name}.md`));
    texts.set(name, text);
    return text.replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => values[key] ?? "").trim();
  };
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new DossierError("config_invalid", `The prompt ${file} cannot be read; set PROMPTS_DIR to a folder that has it.`, { cause });
  }
}

import { ownModels } from "../compose/open-model.ts";
import { readConfig } from "../config.ts";
import { listPrompts } from "./list-prompts.ts";
import { print } from "./say.ts";

/** The prompts in force and 0, or every fault and 1. */
export async function prompts(json: boolean): Promise<number> {
  const config = readConfig();
  const { text, holds } = await listPrompts(config.PROMPTS_DIR, ownModels(config), json);
  print(text);
  return holds ? 0 : 1;
}

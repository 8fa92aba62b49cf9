import { readFile } from "node:fs/promises";
import { z } from "zod";
import { AbilitiesSchema } from "../../test/fakes/model-server/abilities.ts";
import { BehaviorSchema } from "../../test/fakes/model-server/behavior.ts";

const FileSchema = z.strictObject({ abilities: AbilitiesSchema.default({}), script: z.array(BehaviorSchema).min(1) });

/** Reads a script file. @throws Error that lists every fault with its path in the file */
export async function readScript(file: string): Promise<z.infer<typeof FileSchema>> {
  const { success, data, error } = FileSchema.safeParse(JSON.parse(await readFile(file, "utf8")));
  if (!success) throw new Error(`${file} is not a valid script:\n${z.prettifyError(error)}`);
  return data;
}

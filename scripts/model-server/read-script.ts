import { readFile } from "node:fs/promises";
import { z } from "zod";
import { AbilitiesSchema } from "../../test/fakes/model-server/abilities.ts";
import { BehaviorSchema } from "../../test/fakes/model-server/behavior.ts";

const FileSchema = z.strictObject({ abilities: AbilitiesSchema.default({}), script: z.array(BehaviorSchema).min(1) });

/** A script as it stands in a file. Throws with every fault and its place when the file is no such script. */
export async function readScript(file: string): Promise<z.infer<typeof FileSchema>> {
  const { success, data, error } = FileSchema.safeParse(JSON.parse(await readFile(file, "utf8")));
  if (!success) throw new Error(`${file} is no script:\n${z.prettifyError(error)}`);
  return data;
}

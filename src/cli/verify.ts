import { PROGRAM } from "../compose/program.ts";
import { toDossierError } from "../errors.ts";
import type { VerifyArguments } from "./arguments.ts";
import { print, tell } from "./say.ts";
import { verifyFile } from "./verify-file.ts";

/** What holds and 0, or every fault and 1; 2 where it is no bundle. */
export async function verify(asked: VerifyArguments): Promise<number> {
  try {
    const { lines, holds } = await verifyFile(asked, PROGRAM);
    print(lines.map((line) => `${line}\n`).join(""));
    return holds ? 0 : 1;
  } catch (error) {
    if (toDossierError(error).code !== "bundle_invalid") throw error;
    tell(error);
    return 2;
  }
}

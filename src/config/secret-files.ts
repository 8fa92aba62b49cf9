import { readFileSync } from "node:fs";
import { type Fault, invalidSettings, toDossierError } from "../errors.ts";

/** Docker and Kubernetes hand secrets over as files: `OPENAI_API_KEY_FILE` names the file that has `OPENAI_API_KEY`. */
export const FILE = "_FILE";

/** Reads the secrets that files have. A secret that is set in both ways is a fault. */
export function readSecretFiles(
  names: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): { values: Record<string, string>; faults: Fault[] } {
  const [values, faults]: [Record<string, string>, Fault[]] = [{}, []];
  for (const name of names) {
    const file = environment[name + FILE];
    if (!file) continue;
    try {
      values[name] = readSecretFile(name, file);
      if (environment[name]) faults.push({ path: name + FILE, message: `${name} is set too; set one of them` });
    } catch (error) {
      faults.push(...toDossierError(error).faults);
    }
  }
  return { values, faults };
}

/** Returns the text of a file without white space around it, such as the line break that editors add. @throws DossierError `config_invalid` */
export function readSecretFile(name: string, file: string): string {
  let text: string;
  try {
    text = readFileSync(file, "utf8").trim();
  } catch (cause) {
    throw invalidSettings([{ path: name + FILE, message: `the file cannot be read (${(cause as NodeJS.ErrnoException).code})` }]);
  }
  if (text === "") throw invalidSettings([{ path: name + FILE, message: "the file is empty" }]);
  return text;
}

import { toDossierError } from "../errors.ts";

export const say = (line: string): void => void process.stderr.write(`${line}\n`);
export const print = (text: string): void => void process.stdout.write(text);

/** An error in one line, by its code. */
export function tell(error: unknown): void {
  const { code, message } = toDossierError(error);
  say(`${code}: ${message}`);
}

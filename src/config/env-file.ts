import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { DossierError } from "../errors.ts";

/**
 * Reads a file of settings in UTF-8, with or without a byte order mark, or in UTF-16 with one, as editors on Windows write it. None if there is no
 * file. @throws DossierError `config_invalid` if a line of it would be passed over
 */
export function readEnvFile(file = ".env"): Readonly<Record<string, string | undefined>> {
  try {
    if (!existsSync(file)) return {};
    const bytes = readFileSync(file);
    const mark = bytes.toString("hex", 0, 2);
    const text = new TextDecoder(mark === "fffe" ? "utf-16le" : mark === "feff" ? "utf-16be" : "utf-8", { fatal: true }).decode(bytes);
    if (text.includes("\0")) throw new Error("it is not text, or UTF-16 without a byte order mark");
    const unread = unreadLineOf(text);
    if (unread !== undefined) throw new Error(`its line ${unread} is not NAME=value`);
    return parseEnv(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const message = `The file ${file} cannot be read (${why}). Nothing was started. Save it as UTF-8 text with a NAME=value on each line, or remove it.`;
    throw new DossierError("config_invalid", message, { cause });
  }
}

/** Returns the number of the first line that `parseEnv` passes over although it is no comment: without it, all values stay the same. */
function unreadLineOf(text: string): number | undefined {
  const lines = text.split("\n");
  const values = JSON.stringify(parseEnv(text));
  const isPassedOver = (line: string, at: number): boolean =>
    !/^\s*(?:#|$)|=/.test(line) && JSON.stringify(parseEnv(lines.toSpliced(at, 1).join("\n"))) === values;
  const at = lines.findIndex(isPassedOver);
  return at < 0 ? undefined : at + 1;
}

import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import type { z } from "zod";

/** A line of a file with its number there, from 1. */
export interface NumberedLine {
  readonly number: number;
  readonly line: string;
}

/**
 * The text of a file in UTF-8 without its BOM, gzipped where the name ends in `.gz`.
 * @throws Error that names the file
 */
export async function readText(path: string): Promise<string> {
  try {
    const bytes = await readFile(path);
    return new TextDecoder().decode(path.endsWith(".gz") ? gunzipSync(bytes) : bytes);
  } catch (cause) {
    throw new Error(`${path} cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

/** The lines that are not blank, without their ends (LF or CRLF). */
export function linesOf(text: string): NumberedLine[] {
  const lines = text.split(/\r?\n/).map((line, i) => ({ number: i + 1, line }));
  return lines.filter(({ line }) => line.trim() !== "");
}

/**
 * The value of a piece of JSON.
 * @throws Error that begins with `place`, names the form that was expected, and says what is wrong
 */
export function parseAs<T>(schema: z.ZodType<T>, json: string, place: string, form: string): T {
  const parsed = schema.safeParse(parseJson(json, place, form));
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, 3).map(({ path, message }) => (path.length > 0 ? `${path.join(".")}: ${message}` : message));
  throw new Error(`${place} is not ${form}: ${issues.join("; ")}.`);
}

function parseJson(json: string, place: string, form: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new Error(`${place} is not ${form}: it is no JSON.`, { cause });
  }
}

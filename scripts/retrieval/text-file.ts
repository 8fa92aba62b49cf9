import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import type { z } from "zod";

/** A line of a file. Numbers start at 1. */
export interface NumberedLine {
  readonly number: number;
  readonly line: string;
}

/**
 * Reads a UTF-8 file without its BOM, gzipped if the name ends with `.gz`.
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

/** Returns the lines that are not blank. They may end with LF or CRLF. */
export function linesOf(text: string): NumberedLine[] {
  const lines = text.split(/\r?\n/).map((line, i) => ({ number: i + 1, line }));
  return lines.filter(({ line }) => line.trim() !== "");
}

/**
 * Parses JSON and validates it with `schema`.
 * @throws Error that begins with `place`, names the expected `form`, and lists up to three faults
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
    throw new Error(`${place} is not ${form}: the JSON is invalid.`, { cause });
  }
}

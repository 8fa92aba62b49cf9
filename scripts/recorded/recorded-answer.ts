import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { z } from "zod";

/** A recorded answer of a service. */
export interface RecordedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const IndexSchema = z.array(z.object({ file: z.string(), status: z.int(), headers: z.record(z.string(), z.string()) }));
export type RecordingIndex = z.infer<typeof IndexSchema>;

const TYPES: Readonly<Record<string, string>> = {
  ".json": "application/json; charset=utf-8",
  ".xml": "application/xml; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".htm": "text/html; charset=utf-8",
};
/** Headers of the recorded transfer, not of the body as it was stored. */
const OF_THE_TRANSFER = new Set(["content-encoding", "transfer-encoding", "content-length", "connection"]);

/** The `index.json` of a folder; a folder may have none. */
export async function readIndex(folder: string): Promise<RecordingIndex> {
  const text = await readFile(join(folder, "index.json"), "utf8").catch(() => "[]");
  return IndexSchema.parse(JSON.parse(text));
}

/** The answer that a file holds. A file `.http` holds its status line and headers itself. */
export async function readAnswer(
  folder: string,
  file: string,
  index: RecordingIndex,
  given: { readonly status?: number | undefined; readonly type?: string | undefined },
): Promise<RecordedAnswer> {
  const bytes = await readFile(join(folder, file));
  if (extname(file) === ".http") return splitHttp(bytes);
  const recorded = index.find((entry) => entry.file === file);
  const type = given.type ?? TYPES[extname(file)] ?? "text/plain; charset=utf-8";
  return {
    status: given.status ?? recorded?.status ?? 200,
    headers: { "content-type": type, ...ofTheBody(recorded?.headers ?? {}) },
    body: bytes,
  };
}

function splitHttp(bytes: Buffer): RecordedAnswer {
  const end = /\r?\n\r?\n/.exec(bytes.toString("latin1"));
  if (end === null) throw new Error("There is no empty line after the headers.");
  const [statusLine = "", ...lines] = bytes.toString("latin1", 0, end.index).split(/\r?\n/);
  const headers = lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]);
  return {
    status: Number(statusLine.split(" ")[1]),
    headers: ofTheBody(Object.fromEntries(headers)),
    body: bytes.subarray(end.index + end[0].length),
  };
}

function ofTheBody(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_TRANSFER.has(name)));
}

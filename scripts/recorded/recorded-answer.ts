import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { z } from "zod";

/** A recorded HTTP response. */
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
/** Headers to drop: the body is stored decoded. */
const TRANSFER_HEADERS = new Set(["content-encoding", "transfer-encoding", "content-length", "connection"]);

/** Reads the `index.json` of a folder. Returns an empty list if there is none. */
export async function readIndex(folder: string): Promise<RecordingIndex> {
  const text = await readFile(join(folder, "index.json"), "utf8").catch(() => "[]");
  return IndexSchema.parse(JSON.parse(text));
}

/** Reads a recorded response. A `.http` file contains its own status line and headers; other files get them from `given` or the index. */
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
    headers: { "content-type": type, ...dropTransferHeaders(recorded?.headers ?? {}) },
    body: bytes,
  };
}

function splitHttp(bytes: Buffer): RecordedAnswer {
  const end = /\r?\n\r?\n/.exec(bytes.toString("latin1"));
  if (end === null) throw new Error("The .http file has no empty line after the headers.");
  const [statusLine = "", ...lines] = bytes.toString("latin1", 0, end.index).split(/\r?\n/);
  const headers = lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]);
  return {
    status: Number(statusLine.split(" ")[1]),
    headers: dropTransferHeaders(Object.fromEntries(headers)),
    body: bytes.subarray(end.index + end[0].length),
  };
}

function dropTransferHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !TRANSFER_HEADERS.has(name)));
}

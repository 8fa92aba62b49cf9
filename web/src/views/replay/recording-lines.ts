import { BadRecording } from "./bad-recording.ts";

const SLICE_MS = 12;
const MAX_LINE = 100_000_000;

interface Progress {
  readonly signal: AbortSignal;
  readonly onProgress?: (bytes: number) => void;
}

/** Calls `onLine` with each line of a file, in slices of 12 ms, until it returns true. @throws BadRecording */
export async function eachLine(file: Blob, onLine: (line: string) => boolean, { signal, onProgress }: Progress): Promise<void> {
  const reader = file.stream().getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const turn = createTurns(signal);
  let [bytes, count, openLength] = [0, 0, 0];
  let open: string[] = [];
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      bytes += next.value.byteLength;
      const lines = decode(decoder, next.value, count).split("\n");
      const rest = lines.pop() ?? "";
      for (const line of lines) {
        await turn();
        count += 1;
        if (onLine(open.length === 0 ? line : open.join("") + line)) return;
        open = [];
        openLength = 0;
      }
      open.push(rest);
      openLength += rest.length;
      if (openLength > MAX_LINE) throw new BadRecording("longLine", count + 1);
      onProgress?.(bytes);
    }
  } finally {
    await reader.cancel();
  }
  const last = open.join("");
  if (last !== "") onLine(last);
}

function decode(decoder: TextDecoder, chunk: Uint8Array, lines: number): string {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch {
    throw new BadRecording("binary", lines + 1);
  }
}

/** Returns a function to await between lines. It lets the browser work after each slice. */
function createTurns(signal: AbortSignal): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < SLICE_MS) return undefined;
    return new Promise((resolve, reject) => {
      setTimeout(() => {
        since = performance.now();
        if (signal.aborted) reject(signal.reason);
        else resolve();
      });
    });
  };
}

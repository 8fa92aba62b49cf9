import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import type { Behaviour, Cut } from "./behaviour.ts";
import { completionOf } from "./completion.ts";
import { type Asked, type Frame, framesOf } from "./frames.ts";

const RESET_AFTER_MS = 10;

/** Where an answer is written. */
export interface Line {
  readonly response: ServerResponse;
  /** Aborts when the client leaves or the server closes. */
  readonly gone: AbortSignal;
  /** Called just before the server destroys the socket. */
  readonly onReset: () => void;
}

/** Answers with a behavior, no faster than the client reads, until it ends or `gone` aborts. Rejects only with that abort. */
export async function play(behaviour: Behaviour, asked: Asked, line: Line): Promise<void> {
  const { response, gone } = line;
  await wait(behaviour.firstDelayMs, gone);
  if (behaviour.cut?.after === "nothing") return stop(behaviour.cut.how, line);
  const whole = wholeBody(behaviour, asked);
  response.writeHead(behaviour.kind === "status" ? behaviour.status : 200, headersOf(behaviour, whole));
  response.flushHeaders();
  const left = behaviour.cut?.after ?? Number.POSITIVE_INFINITY;
  const frames = whole === undefined ? framesOf(behaviour, asked) : [{ data: whole, piece: true }];
  for (const part of partsOf(upTo(frames, left), behaviour.cutBytes)) {
    if (part.piece) await wait(behaviour.delayMs, gone);
    if (!response.write(part.data)) await once(response, "drain", { signal: gone });
    // Yields to the event loop, so that the chunks reach the client one by one.
    if (behaviour.cutBytes !== undefined) await nextTurn(undefined, { signal: gone });
  }
  if (behaviour.cut) return stop(behaviour.cut.how, line);
  response.end();
}

/** Returns the body if it is not streamed. */
function wholeBody(behaviour: Behaviour, asked: Asked): string | undefined {
  if (behaviour.kind === "status") return typeof behaviour.body === "string" ? behaviour.body : JSON.stringify(behaviour.body);
  if (behaviour.kind !== "text" && behaviour.kind !== "tool-calls") return undefined;
  return behaviour.asJson === true || asked.body["stream"] !== true ? JSON.stringify(completionOf(behaviour, asked)) : undefined;
}

function headersOf(behaviour: Behaviour, whole: string | undefined): Record<string, string> {
  if (whole === undefined) return { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };
  const plain = behaviour.kind === "status" && typeof behaviour.body === "string";
  return {
    "content-type": plain ? "text/plain; charset=utf-8" : "application/json",
    ...(behaviour.kind === "status" ? behaviour.headers : {}),
  };
}

async function stop(how: Cut["how"], { response, gone, onReset }: Line): Promise<void> {
  if (how === "end") response.end();
  else if (how === "hang" && !gone.aborted) await once(gone, "abort");
  else if (how === "reset") {
    // Written data arrives first: a reset drops what the client has not read.
    await pause(RESET_AFTER_MS, undefined, { signal: gone });
    onReset();
    response.socket?.resetAndDestroy();
  }
}

/** Yields the frames until this many pieces have passed. */
function* upTo(frames: Iterable<Frame>, pieces: number): Iterable<Frame> {
  let passed = 0;
  if (pieces === 0) return;
  for (const frame of frames) {
    yield frame;
    if (frame.piece) passed += 1;
    if (passed >= pieces) return;
  }
}

/** Yields the same bytes in chunks of `size`, across the frames; each chunk counts as a piece, so that the pace applies to it. */
function* partsOf(frames: Iterable<Frame>, size: number | undefined): Iterable<Frame> {
  if (size === undefined) {
    yield* frames;
    return;
  }
  let rest = Buffer.alloc(0);
  for (const { data } of frames) {
    rest = Buffer.concat([rest, typeof data === "string" ? Buffer.from(data) : data]);
    for (; rest.length >= size; rest = rest.subarray(size)) yield { data: rest.subarray(0, size), piece: true };
  }
  if (rest.length > 0) yield { data: rest, piece: true };
}

const wait = (milliseconds: number | undefined, gone: AbortSignal) =>
  milliseconds === undefined || milliseconds === 0 ? undefined : pause(milliseconds, undefined, { signal: gone });

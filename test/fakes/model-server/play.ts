import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { unlessAborted } from "../../../src/util/abort.ts";
import type { Behavior, Cut } from "./behavior.ts";
import { completionOf } from "./completion.ts";
import { type Asked, type Frame, framesOf } from "./frames.ts";

/** Where an answer is written. */
export interface Line {
  readonly response: ServerResponse;
  /** Aborts when the client leaves or the server closes. */
  readonly gone: AbortSignal;
  /** Called just before the server destroys the socket. */
  readonly onReset: () => void;
}

/** Answers with a behavior, no faster than the client reads, until it ends or `gone` aborts. Rejects only with that abort. */
export async function play(behavior: Behavior, asked: Asked, line: Line): Promise<void> {
  const { response, gone } = line;
  await wait(behavior.firstDelayMs, gone);
  if (behavior.cut?.after === "nothing") return stop(behavior.cut.how, line);
  const whole = wholeBody(behavior, asked);
  response.writeHead(behavior.kind === "status" ? behavior.status : 200, headersOf(behavior, whole));
  response.flushHeaders();
  const left = behavior.cut?.after ?? Number.POSITIVE_INFINITY;
  const frames = whole === undefined ? framesOf(behavior, asked) : [{ data: whole, piece: true }];
  let pieces = 0;
  for (const part of partsOf(upTo(frames, left), behavior.cutBytes)) {
    if (part.piece) await wait(behavior.delayMs, gone);
    if (part.piece && behavior.beforePiece) await unlessAborted(Promise.resolve(behavior.beforePiece(pieces++)), gone);
    if (!response.write(part.data)) await once(response, "drain", { signal: gone });
    // Yields to the event loop, so that the chunks reach the client one by one.
    if (behavior.cutBytes !== undefined) await nextTurn(undefined, { signal: gone });
  }
  if (behavior.cut) return stop(behavior.cut.how, line);
  response.end();
}

/** Returns the body if it is not streamed. */
function wholeBody(behavior: Behavior, asked: Asked): string | undefined {
  if (behavior.kind === "status") return typeof behavior.body === "string" ? behavior.body : JSON.stringify(behavior.body);
  if (behavior.kind !== "text" && behavior.kind !== "tool-calls") return undefined;
  return behavior.asJson === true || asked.body["stream"] !== true ? JSON.stringify(completionOf(behavior, asked)) : undefined;
}

function headersOf(behavior: Behavior, whole: string | undefined): Record<string, string> {
  if (whole === undefined) return { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };
  const plain = behavior.kind === "status" && typeof behavior.body === "string";
  return {
    "content-type": plain ? "text/plain; charset=utf-8" : "application/json",
    ...(behavior.kind === "status" ? behavior.headers : {}),
  };
}

async function stop(how: Cut["how"], { response, gone, onReset }: Line): Promise<void> {
  if (how === "end") response.end();
  else if (how === "hang" && !gone.aborted) await once(gone, "abort");
  else if (how === "reset") {
    onReset();
    // What was written arrives first: a reset drops only what this side has not sent.
    response.socket?.write("", () => response.socket?.resetAndDestroy());
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

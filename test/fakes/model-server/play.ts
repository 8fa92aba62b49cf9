import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { unlessAborted } from "../../../src/util/abort.ts";
import type { Behavior, Cut } from "./behavior.ts";
import { completionOf } from "./completion.ts";
import { type Asked, type Frame, framesOf } from "./frames.ts";

export const EVENT_STREAM = "text/event-stream; charset=utf-8";

/** Where an answer is written. */
export interface Line {
  readonly response: ServerResponse;
  /** Aborts when the client leaves or the server closes. */
  readonly gone: AbortSignal;
  /** Called just before the server destroys the socket. */
  readonly onReset: () => void;
}

/** A behavior in the format of a provider. */
export interface Wire {
  /** The body if it is not streamed. */
  readonly whole: string | undefined;
  /** The body if it is streamed; only read then. */
  readonly frames: Iterable<Frame>;
  /** The content type of a stream. */
  readonly streamType: string;
}

/** Answers with a behavior, no faster than the client reads, until it ends or `gone` aborts. Rejects only with that abort. */
export const play = (behavior: Behavior, asked: Asked, line: Line): Promise<void> =>
  playWire(behavior, { whole: wholeBody(behavior, asked), frames: framesOf(behavior, asked), streamType: EVENT_STREAM }, line);

/** Does the same with the format of any provider. */
export async function playWire(behavior: Behavior, wire: Wire, line: Line): Promise<void> {
  const { response, gone } = line;
  await wait(behavior.firstDelayMs, gone);
  if (behavior.cut?.after === "nothing") return stop(behavior.cut.how, line);
  response.writeHead(behavior.kind === "status" ? behavior.status : 200, headersOf(behavior, wire));
  response.flushHeaders();
  const left = behavior.cut?.after ?? Number.POSITIVE_INFINITY;
  const frames = wire.whole === undefined ? wire.frames : [{ data: wire.whole, piece: true }];
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

function headersOf(behavior: Behavior, { whole, streamType }: Wire): Record<string, string> {
  if (whole === undefined) return { "content-type": streamType, "cache-control": "no-cache" };
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

import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { HttpApp } from "./http-app.ts";

/** Requests a connection may have open at once, the one that is being answered included. */
const MAX_PIPELINED = 100;

/** What waits on one connection: the first is being answered. */
interface Line {
  readonly waiting: (() => void)[];
}

/**
 * Answers the requests of one connection one after another: the next is looked at when the network has taken the last answer. A
 * client that sends many and reads nothing (HTTP pipelining) so costs one answer of memory; with more than 100 open requests it
 * is cut off. One that takes nothing of an answer for `stallMs` milliseconds is cut off too; streams keep their own pace.
 */
export function registerTurns(app: HttpApp, stallMs: number): void {
  const lines = new WeakMap<Socket, Line>();

  app.addHook("onRequest", async ({ raw: { socket } }, reply) => {
    const line = lines.get(socket) ?? openLine(lines, socket);
    if (line.waiting.length >= MAX_PIPELINED) socket.destroy();
    if (!socket.destroyed) await turnOf(line, reply.raw);
    // Nobody is left to answer.
    if (socket.destroyed) reply.hijack();
    // What an earlier answer on this connection asked for is over; waiting for a run is no stall.
    else socket.setTimeout(0);
  });

  // From here on there is only the reader to wait for. Streams, which are hijacked, do not come here.
  app.addHook("onSend", async ({ raw: { socket } }) => void socket.setTimeout(stallMs));
}

function openLine(lines: WeakMap<Socket, Line>, socket: Socket): Line {
  const line: Line = { waiting: [] };
  lines.set(socket, line);
  // Answers that were never begun do not say that they are closed.
  socket.once("close", () => {
    for (const begin of line.waiting.splice(0)) begin();
  });
  return line;
}

/** Resolves when everything before it on the line has been answered, or the connection is closed. */
function turnOf({ waiting }: Line, response: ServerResponse): Promise<void> {
  response.once("close", () => {
    waiting.shift();
    waiting[0]?.();
  });
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) resolve();
  });
}

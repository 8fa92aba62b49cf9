import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Connections, HttpApp } from "./http-app.ts";

/** On `app.close()`: aborts streams, closes idle sockets, then busy ones after their answer, and destroys the rest after `graceMs`. */
export function trackConnections(app: HttpApp, graceMs: number): Connections {
  const sockets = new Set<Socket>();
  const openAnswers = new Map<Socket, Set<ServerResponse>>();
  const closing = new AbortController();

  app.server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => {
      sockets.delete(socket);
      // Answers that never began emit no "close".
      openAnswers.delete(socket);
    });
  });
  app.server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    const open = openAnswers.get(socket) ?? new Set();
    openAnswers.set(socket, open.add(response));
    response.once("close", () => {
      open.delete(response);
      if (open.size > 0) return;
      openAnswers.delete(socket);
      if (closing.signal.aborted) socket.destroySoon();
    });
  });
  // The problem for malformed bytes would become a part of an answer that has begun.
  app.server.prependListener("clientError", (_error: Error, socket: Socket) => {
    if (
      openAnswers
        .get(socket)
        ?.values()
        .some(({ headersSent }) => headersSent)
    )
      socket.destroy();
  });
  app.addHook("preClose", async () => {
    closing.abort();
    for (const socket of sockets) if (!openAnswers.has(socket)) socket.destroy();
    setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, graceMs).unref();
  });

  return {
    get closing() {
      return closing.signal.aborted;
    },
    signalOf({ raw }) {
      const left = new AbortController();
      if (raw.destroyed) left.abort();
      raw.once("close", () => left.abort());
      return AbortSignal.any([closing.signal, left.signal]);
    },
  };
}

const MAX_PIPELINED = 100;

type RequestQueue = (() => void)[];

/**
 * Answers pipelined requests of a connection one by one, so a client that sends many and reads nothing costs one answer of memory. Closes a
 * connection with over 100 open requests, or whose client takes nothing of an answer for `stallMs`; streams set their own limit.
 */
export function limitPipelining(app: HttpApp, stallMs: number): void {
  const queues = new WeakMap<Socket, RequestQueue>();

  app.addHook("onRequest", async ({ raw: { socket } }, reply) => {
    const queue = queues.get(socket) ?? openQueue(queues, socket);
    if (queue.length >= MAX_PIPELINED) socket.destroy();
    if (!socket.destroyed) await myTurn(queue, reply.raw);
    if (socket.destroyed) reply.hijack();
    // Clears the time limit of the last answer: waiting for a run is no stall.
    else socket.setTimeout(0);
  });

  // Hijacked replies (streams) skip this hook.
  app.addHook("onSend", async ({ raw: { socket } }) => void socket.setTimeout(stallMs));
}

function openQueue(queues: WeakMap<Socket, RequestQueue>, socket: Socket): RequestQueue {
  const queue: RequestQueue = [];
  queues.set(socket, queue);
  // Answers that never began emit no "close".
  socket.once("close", () => {
    for (const begin of queue.splice(0)) begin();
  });
  return queue;
}

/** Resolves when all earlier requests of the connection are answered, or the connection is closed. */
function myTurn(queue: RequestQueue, response: ServerResponse): Promise<void> {
  response.once("close", () => {
    queue.shift();
    queue[0]?.();
  });
  return new Promise((resolve) => {
    queue.push(resolve);
    if (queue.length === 1) resolve();
  });
}

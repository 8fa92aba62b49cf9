import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { DossierError } from "../errors.ts";
import type { Connections, HttpApp } from "./http-app.ts";

/** Makes `app.close()` abort streams, close idle sockets, close busy ones after their answer, and destroy the rest after `graceMs`. */
export function trackConnections(app: HttpApp, graceMs: number): Connections {
  const sockets = new Set<Socket>();
  const openAnswers = new Map<Socket, Set<ServerResponse>>();
  const closing = new AbortController();

  app.server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => {
      sockets.delete(socket);
      // A response emits no "close" if it was never started.
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
  // After an answer has begun, the client would read an error response as part of it.
  app.server.prependListener("clientError", (_error: Error, socket: Socket) => {
    const open = [...(openAnswers.get(socket) ?? [])];
    if (open.some(({ headersSent }) => headersSent)) socket.destroy();
  });
  app.addHook("preClose", async () => {
    closing.abort(new DossierError("draining", "The answer was not finished: the server is shutting down. Try again after the restart."));
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
 * Handles the pipelined requests of a connection one after another, so that a client that reads nothing costs the memory of one answer.
 * Closes a connection with more than 100 open requests, and one whose client reads nothing for `stallMs`. Streams have their own limit.
 */
export function limitPipelining(app: HttpApp, stallMs: number): void {
  const queues = new WeakMap<Socket, RequestQueue>();

  app.addHook("onRequest", async ({ raw: { socket } }, reply) => {
    const queue = queues.get(socket) ?? openQueue(queues, socket);
    if (queue.length >= MAX_PIPELINED) socket.destroy();
    if (!socket.destroyed) await waitForEarlierAnswers(queue, reply.raw);
    if (socket.destroyed) reply.hijack();
    // Removes the time limit, because the next request may wait for a run.
    else socket.setTimeout(0);
  });

  // This hook does not run for hijacked replies (streams).
  app.addHook("onSend", async ({ raw: { socket } }) => void socket.setTimeout(stallMs));
}

function openQueue(queues: WeakMap<Socket, RequestQueue>, socket: Socket): RequestQueue {
  const queue: RequestQueue = [];
  queues.set(socket, queue);
  // A response emits no "close" if it was never started.
  socket.once("close", () => {
    for (const begin of queue.splice(0)) begin();
  });
  return queue;
}

function waitForEarlierAnswers(queue: RequestQueue, response: ServerResponse): Promise<void> {
  response.once("close", () => {
    queue.shift();
    queue[0]?.();
  });
  return new Promise((resolve) => {
    queue.push(resolve);
    if (queue.length === 1) resolve();
  });
}

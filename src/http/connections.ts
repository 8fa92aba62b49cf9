import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { DossierError } from "../errors.ts";
import type { Connections, HttpApp } from "./http-app.ts";

/** Lets `app.close()` end all connections: idle sockets at once, the others after their response or after `graceMs`. */
export function trackConnections(app: HttpApp, graceMs: number): Connections {
  const sockets = new Set<Socket>();
  const openAnswers = new Map<Socket, Set<ServerResponse>>();
  const closing = new AbortController();

  app.server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => {
      sockets.delete(socket);
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
  // Once a response has begun, the client would read an error response as part of it.
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
      const leave = (): void => left.abort(new DossierError("cancelled", "The client has left, so it was not answered."));
      if (raw.destroyed) leave();
      raw.once("close", leave);
      return AbortSignal.any([closing.signal, left.signal]);
    },
  };
}

const DROPS_LOGGED_MS = 60_000;

/** Closes connections beyond `most`, so that there are open files left for everything else. */
export function limitConnections(app: HttpApp, most: number): void {
  app.server.maxConnections = most;
  let loggedAt = Number.NEGATIVE_INFINITY;
  app.server.on("drop", () => {
    if (performance.now() - loggedAt < DROPS_LOGGED_MS) return;
    loggedAt = performance.now();
    app.log.warn({ most }, "connections are refused: as many as allowed are open");
  });
}

const MAX_PIPELINED = 100;

type RequestQueue = (() => void)[];

/**
 * Handles the pipelined requests of a connection one at a time, so that a client that reads nothing costs the memory of one response, and
 * one of all connections in a turn of the event loop, so that other requests have theirs.
 */
export function limitPipelining(app: HttpApp, stallMs: number): void {
  const queues = new WeakMap<Socket, RequestQueue>();
  const inTurn = oneStepPerTurn();

  app.addHook("onRequest", async ({ raw: { socket } }, reply) => {
    const queue = queues.get(socket) ?? openQueue(queues, socket);
    if (queue.length >= MAX_PIPELINED) socket.destroy();
    if (!socket.destroyed) await waitForEarlierAnswers(queue, reply.raw, inTurn);
    if (socket.destroyed) reply.hijack();
    // No time limit while the handler runs, because it may wait for the end of a run.
    else socket.setTimeout(0);
  });

  app.addHook("onSend", async ({ raw: { socket } }) => void socket.setTimeout(stallMs));
}

function openQueue(queues: WeakMap<Socket, RequestQueue>, socket: Socket): RequestQueue {
  const queue: RequestQueue = [];
  queues.set(socket, queue);
  socket.once("close", () => {
    for (const begin of queue.splice(0)) begin();
  });
  return queue;
}

/** Returns a function that performs its steps in order, one in each turn of the event loop. */
function oneStepPerTurn(): (step: () => void) => void {
  const steps: (() => void)[] = [];
  const next = (): void => {
    steps[0]?.();
    steps.shift();
    if (steps.length > 0) setImmediate(next);
  };
  return (step) => {
    if (steps.push(step) === 1) setImmediate(next);
  };
}

function waitForEarlierAnswers(queue: RequestQueue, response: ServerResponse, inTurn: (step: () => void) => void): Promise<void> {
  response.once("close", () => {
    queue.shift();
    if (queue.length > 0) inTurn(() => queue[0]?.());
  });
  return new Promise((resolve) => {
    queue.push(resolve);
    if (queue.length === 1) resolve();
  });
}

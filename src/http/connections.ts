import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyReply } from "fastify";
import type { HttpApp } from "./http-app.ts";

/** What the server knows of its open connections. */
export interface Connections {
  /** Whether the server is shutting down; nothing new is taken up then. */
  readonly closing: boolean;
  /** Aborted when the reader of this reply has left, or the server shuts down: whoever waits on its behalf stops. */
  signalOf(reply: FastifyReply): AbortSignal;
}

/**
 * Lets `app.close()` end: streams and waits are told through their signals, idle and silent sockets are closed at once, busy
 * ones after their answer, and what is left after `graceMs` milliseconds is cut.
 */
export function trackConnections(app: HttpApp, graceMs: number): Connections {
  const sockets = new Set<Socket>();
  const busy = new Map<Socket, number>();
  const waiting = new Set<AbortController>();
  let closing = false;

  app.server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => {
      sockets.delete(socket);
      // Answers that were never begun do not say that they are closed.
      busy.delete(socket);
    });
  });
  app.server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    busy.set(socket, (busy.get(socket) ?? 0) + 1);
    response.once("close", () => {
      const left = (busy.get(socket) ?? 1) - 1;
      if (left > 0) return busy.set(socket, left);
      busy.delete(socket);
      return closing && socket.destroySoon();
    });
  });
  app.addHook("preClose", async () => {
    closing = true;
    for (const controller of waiting) controller.abort();
    for (const socket of sockets) if (!busy.has(socket)) socket.destroy();
    setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, graceMs).unref();
  });

  return {
    get closing() {
      return closing;
    },
    signalOf({ raw }) {
      const controller = new AbortController();
      if (closing || raw.destroyed) controller.abort();
      waiting.add(controller);
      raw.once("close", () => {
        waiting.delete(controller);
        controller.abort();
      });
      return controller.signal;
    },
  };
}

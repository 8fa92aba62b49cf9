import type { HttpApp } from "./http-app.ts";

/** One line for each answer, at `info` where the server failed and at `debug` otherwise; neither query nor body nor headers. */
export function registerRequestLog(app: HttpApp): void {
  app.addHook("onResponse", async (request, reply) => {
    const [path] = request.url.split("?");
    const { id } = (request.params ?? {}) as { id?: string };
    const line = {
      method: request.method,
      path,
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime),
      ...(id === undefined ? {} : { runId: id }),
    };
    request.log[reply.statusCode >= 500 ? "info" : "debug"](line, "request answered");
  });
}

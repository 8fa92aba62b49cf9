import type { HttpApp } from "../http-app.ts";
import { sendPaced } from "../paced-response.ts";
import { problems, raw } from "../responses.ts";
import { RunParamsSchema } from "../schemas.ts";
import type { HttpServices } from "../services.ts";
import { tenantOf } from "../tenant.ts";

/** Characters that are gathered before they are written: lines are short, and each write waits for the socket. */
const CHUNK_CHARACTERS = 65_536;

/** The recording of a run, by which it can be replayed. */
export function registerRecordingRoutes(app: HttpApp, services: HttpServices): void {
  app.route({
    method: "GET",
    url: "/research/:id/recording",
    schema: {
      tags: ["research"],
      operationId: "getRecording",
      summary: "Download the recording of a run",
      params: RunParamsSchema,
      response: { 200: raw("JSON lines.", "application/x-ndjson"), ...problems(404, 409) },
    },
    handler: async (request, reply) => {
      const { id } = request.params;
      const lines = services.runs.recording(tenantOf(request), id)[Symbol.asyncIterator]();
      try {
        // What the first line throws can still become an answer.
        const first = await lines.next();
        const pace = { signal: services.connections.signalOf(reply), stallMs: services.answerStallMs };
        await sendPaced(request, reply, headersOf(id), () => gathered(first, lines), pace);
      } finally {
        await lines.return?.();
      }
      return reply;
    },
  });
}

const headersOf = (id: string) => ({
  "content-type": "application/x-ndjson",
  "content-disposition": `attachment; filename="${id.replaceAll(":", "-")}.ndjson"`,
});

/** The lines from `first` on, in larger chunks. */
async function* gathered(first: IteratorResult<string>, lines: AsyncIterator<string>): AsyncGenerator<string> {
  let chunk = "";
  for (let line = first; line.done !== true; line = await lines.next()) {
    chunk += line.value;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = "";
  }
  yield chunk;
}

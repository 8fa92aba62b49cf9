import { request as httpRequest } from "node:http";
import { expect, it } from "vitest";
import type { Run } from "../../src/domain/run.ts";
import { createDatabase } from "../helpers/postgres.ts";
import { seeded } from "../helpers/seeded.ts";
import { startService } from "../helpers/start-service.ts";
import { DATABASES } from "../storage/open-store.ts";
import { type ApiDocument, type MadeRequest, RequestMaker } from "./made-requests.ts";

const REQUESTS = 10_000;
const AT_ONCE = 8;
/** Some are deleted on the way. */
const RUNS = 60;

/**
 * Sends a request, and resolves with the status of the answer when its head and first bytes, or its end, have come: a stream of a run may not
 * end by itself. A request without an answer lets the test run out of time.
 */
function send(url: string, { method, path, headers, body }: MadeRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url + path, {
      method,
      headers: { ...headers, ...(body !== null && { "content-length": Buffer.byteLength(body) }) },
    });
    sent.on("error", reject);
    sent.on("response", (response) => {
      const end = (): void => {
        resolve(response.statusCode ?? 0);
        response.destroy();
      };
      response.once("data", end).once("end", end).once("error", end);
    });
    sent.end(body ?? undefined);
  });
}

it.each(DATABASES)(
  "answers 10,000 made requests of all routes on %s without a failure of the server",
  async (database) => {
    const environment = {
      MAX_SECONDS: "20",
      RUN_CONCURRENCY: "2",
      ...(database === "PostgreSQL" && { DATABASE_URL: await createDatabase() }),
    };
    const service = await startService({ environment });
    const run = (await service.ask({ question: "灯塔的灯里烧什么？", threadId: "T" })) as Run;
    const link = await fetch(`${service.url}/research/${run.id}/share-links`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    const { links } = (await link.json()) as { links: { self: string } };
    const others: string[] = [];
    for (let asked = 0; asked < RUNS; asked += 1)
      others.push(((await service.ask({ question: `灯 ${asked}？`, limits: { modelCalls: 0 } })) as Run).id);
    const api = (await (await fetch(`${service.url}/openapi.json`)).json()) as ApiDocument;
    const contentHash = run.report?.citations[0]?.contentHash ?? "";
    const maker = new RequestMaker(api, seeded(20_261_130), {
      ...{ id: [run.id, ...others], threadId: ["T", run.threadId], contentHash: [contentHash], name: ["executor", "team"] },
      secret: [links.self.slice("/shared/".length)],
    });
    const failures: string[] = [];
    const statuses = new Map<number, number>();
    let left = REQUESTS;
    const worker = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        const made = maker.next();
        const status = await send(service.url, made).catch((error: Error) => {
          failures.push(`${made.method} ${made.path} ${JSON.stringify(made.headers)} ${made.body?.slice(0, 500)}: ${error.message}`);
          return 0;
        });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status >= 500)
          failures.push(`${status} ${made.method} ${made.path} ${JSON.stringify(made.headers)} ${made.body?.slice(0, 500)}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    expect(failures).toEqual([]);
    for (const status of [200, 202, 400, 404, 409]) expect(statuses.get(status), `answers ${status}`).toBeGreaterThan(10);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  },
  900_000,
);

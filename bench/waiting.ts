import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Pool } from "undici";
import { questionsAbout } from "./keyless/questions.ts";

// Starts 1,000 runs at once on a model that takes 45 s for each answer. All must succeed, with less than 1 GB of memory. Prints one line
// of JSON: npm run bench:waiting

const DOCS = new URL("../docs/", import.meta.url).pathname;
const RUNS = 1_000;
const ANSWER_MS = 45_000;
const MAX_MS = 500_000;
const MAX_MB = 1_000;

/** A model server that streams a short answer after 45 s. */
async function openModel(): Promise<{ url: string; calls: () => number; close: () => void }> {
  let calls = 0;
  const server = createServer(async (request, response) => {
    calls += 1;
    request.resume();
    await pause(ANSWER_MS);
    const chunk = {
      id: "c",
      model: "slow",
      choices: [{ index: 0, delta: { content: "The answer is in the documents." }, finish_reason: "stop" }],
    };
    response.writeHead(200, { "content-type": "text/event-stream" }).end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
  });
  server.listen(0, "127.0.0.1", RUNS * 2);
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return { url, calls: () => calls, close: () => server.close() };
}

/** Starts a run and returns its status when it ends. */
async function ask(pool: Pool, question: string): Promise<string> {
  const headers = { "content-type": "application/json", accept: "text/event-stream" };
  const body = JSON.stringify({ question, sources: ["corpus"] });
  const limits = { headersTimeout: MAX_MS, bodyTimeout: MAX_MS };
  const { statusCode, body: stream } = await pool.request({ path: "/research", method: "POST", headers, body, ...limits });
  const text = await stream.text();
  return statusCode === 200 && text.includes('"status":"succeeded"') ? "succeeded" : `HTTP ${statusCode}: ${text.slice(-300)}`;
}

const home = await mkdtemp(join(tmpdir(), "dossier-waiting-"));
const model = await openModel();
const host = new URL("./waiting/host.ts", import.meta.url);
const child = fork(host, [join(home, "data"), DOCS, model.url, String(RUNS)], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
try {
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: RUNS });
  const questions = await questionsAbout(DOCS, 200);
  const begin = performance.now();
  const ends = await Promise.all(Array.from({ length: RUNS }, (_, i) => ask(pool, questions[i % questions.length] ?? "")));
  const seconds = Math.round((performance.now() - begin) / 1_000);
  const answer = once(child, "message");
  child.send({});
  const [{ peakMb }] = (await answer) as [{ peakMb: number }];
  const others = ends.filter((end) => end !== "succeeded");
  console.log(
    JSON.stringify({ runs: RUNS, succeeded: RUNS - others.length, seconds, modelCalls: model.calls(), peakMb, firstOther: others[0] }),
  );
  if (others.length > 0 || peakMb > MAX_MB) process.exitCode = 1;
  await pool.close();
} finally {
  child.disconnect();
  model.close();
  await rm(home, { recursive: true, force: true });
}

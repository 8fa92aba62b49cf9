import { expect, it, onTestFinished } from "vitest";
import { startLoopback } from "../fakes/loopback-server.ts";
import type { Behavior } from "../fakes/model-server/behavior.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { startService, type TestService } from "../helpers/start-service.ts";

const MODEL_KEY = 'sk-Gray/Wolf+ "88"';
const SEARCH_KEY = "tvly-Red-Fox/31";

/** A search service that repeats its key in what it finds. */
async function startTavily(): Promise<string> {
  const server = await startLoopback((request, response) => {
    const key = (request.headers.authorization ?? "").slice("Bearer ".length);
    const content = `奥尔德穆尔灯塔的灯烧鲸油。 The lamp burns whale oil. ${key} ${encodeURIComponent(key)} is your key.`;
    const found = { title: `灯塔 ${key}`, url: `http://127.0.0.1:9/?key=${encodeURIComponent(key)}`, content, score: 0.9 };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ query: "q", results: [found] }));
  });
  onTestFinished(() => server.close());
  return server.url;
}

async function start(script: readonly Behavior[]) {
  const model = await startModelServer(script);
  const keys = { OPENAI_API_KEY: MODEL_KEY, TAVILY_API_KEY: SEARCH_KEY, TAVILY_BASE_URL: await startTavily() };
  return startService({ environment: { ...keys, OPENAI_BASE_URL: model.url, OPENAI_MODEL: "scripted", SOURCES: "tavily" } });
}

/** Everything that a client can read of a run. */
async function shownOf(service: TestService, id: string): Promise<string[]> {
  const paths = ["", "/events", "/report", "/report?format=html", "/recording", "/bundle"].map((path) => `/research/${id}${path}`);
  const read = async (path: string) => Buffer.from(await (await fetch(service.url + path)).arrayBuffer()).toString("utf8");
  return Promise.all(paths.map(read));
}

const forms = (key: string): string[] => [
  key,
  JSON.stringify(key).slice(1, -1),
  encodeURIComponent(key),
  encodeURIComponent(key).toLowerCase(),
];

/** A text in pieces that divide the key at each of its characters. */
function divided(text: string): Behavior {
  const chunk = (content: string) => ({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
  return say.chunks([...Array.from(text, chunk), { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }]);
}

it("shows no key that the model's server and a search service repeat: divided, escaped, percent-encoded, in calls, finds and documents", async () => {
  const search = { name: "search", arguments: { query: `灯塔 ${MODEL_KEY}` } };
  const service = await start([
    say.toolCalls([search]),
    divided(
      `灯塔的灯烧鲸油。[S1: "灯烧鲸油"] The key is ${MODEL_KEY}, or ${encodeURIComponent(MODEL_KEY)}, or ${JSON.stringify(MODEL_KEY)}. 完。`,
    ),
  ]);
  const run = (await service.ask({ graph: "agent", question: "灯塔里烧什么？" })) as { id: string; status: string };
  expect(run).toMatchObject({ status: "succeeded" });
  const shown = await shownOf(service, run.id);
  for (const key of [MODEL_KEY, SEARCH_KEY])
    expect(shown.map((text) => forms(key).filter((form) => text.includes(form)))).toEqual(shown.map(() => []));
  const [, events = ""] = shown;
  const deltas = events.split("\n").flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice(6))] : []));
  const streamed = deltas.flatMap(({ type, delta }) => (type === "content" ? [delta] : [])).join("");
  expect(streamed).toContain('The key is ***, or ***, or "***". 完。');
});

it("does not mask a key that is an ordinary word", async () => {
  const model = await startModelServer([divided("The model of ollama says: 灯塔。")]);
  const service = await startService({
    environment: { OPENAI_API_KEY: "ollama", OPENAI_BASE_URL: model.url, OPENAI_MODEL: "m", SOURCES: "corpus" },
  });
  const run = (await service.ask({ graph: "agent", question: "Who says it?" })) as { id: string };
  expect((await shownOf(service, run.id))[1]).toContain("ollama says");
});

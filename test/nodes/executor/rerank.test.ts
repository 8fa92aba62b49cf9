import { describe, expect, it, onTestFinished } from "vitest";
import { replay } from "../../../src/compose.ts";
import type { Hit } from "../../../src/domain/hit.ts";
import type { Effects } from "../../../src/domain/ports/effects.ts";
import type { SearchSource } from "../../../src/domain/ports/sources.ts";
import { judgeByMeaning } from "../../../src/gathering/rank.ts";
import { NO_REPLIES } from "../../../src/journal/completions.ts";
import { readRecording } from "../../../src/journal/recording-file.ts";
import { cohere, embeddings, type SemanticServer, type Speak, startSemanticServer, tei } from "../../fakes/semantic-server.ts";
import { jumpingClock } from "../../helpers/jumping-clock.ts";
import { openDossier, TENANT, type TestDossier } from "../../helpers/open-dossier.ts";
import { foundPage } from "../../helpers/page-source.ts";
import { plainEffects } from "../../helpers/plain-effects.ts";
import { finding } from "../../helpers/search-answer.ts";

const NAMES = ["甲", "乙", "丙", "丁"];
const QUESTION = "奥尔德穆尔灯塔的灯里烧什么？";

/** Finds four pages in this order; only their snippets can be read. */
const SOURCE: SearchSource = { id: "pages", kind: "web", title: "pages", search: finding(() => NAMES.map(page)) };

function page(name: string): Hit {
  const found = foundPage("pages", `http://127.0.0.1:9/${encodeURIComponent(name)}`);
  return { ...found, title: `${name} ${found.title}` };
}

async function start(speak: Speak): Promise<SemanticServer> {
  const server = await startSemanticServer(speak);
  onTestFinished(() => server.close());
  return server;
}

const open = (environment: Readonly<Record<string, string>>) =>
  openDossier({ parts: { sources: [SOURCE] }, environment: { SOURCES: "pages", ...environment } });

/** Starts a server of a ranker, and a service that ranks with it. */
async function openRanked(speak: Speak, path = "", more: Readonly<Record<string, string>> = {}) {
  const server = await start(speak);
  return { server, dossier: await open({ RERANK_BASE_URL: `${server.url}${path}`, ...more }) };
}

async function ask(dossier: TestDossier, question = QUESTION) {
  const run = await dossier.finish((await dossier.start({ question })).id);
  const events = await dossier.events(run.id);
  const order = (run.report?.sources ?? []).map(({ title }) => title[0]);
  const ranking = (run.report?.ledger ?? []).filter(({ what }) => what === "rerank");
  return { run, events, order, ranking, failed: events.filter(({ type }) => type === "rerank-failed") };
}

/** Returns whether a recording of the run replays, with nothing configured, to the same events and report. */
async function replaysAlone(dossier: TestDossier, runId: string): Promise<boolean> {
  const recording = await readRecording(await dossier.recordingLines(runId));
  const again = await replay(recording);
  expect(again.difference).toBeNull();
  expect(again.events).toEqual(recording.events);
  return true;
}

/** The last hit by words is the first by meaning. */
const lastFirst = (text: string) => NAMES.findIndex((name) => text.startsWith(name));

describe("ranking by meaning", () => {
  it("changes the order to that of the server, and replays without it", async () => {
    const plain = await ask(await open({}));
    const { server, dossier } = await openRanked(cohere(lastFirst), "/v2", { RERANK_API_KEY: "k", RERANK_MODEL: "rerank-v3.5" });
    const { run, order, ranking, failed } = await ask(dossier);
    expect(plain.order).toEqual(["甲", "乙", "丙", "丁"]);
    expect(order).toEqual(["甲", "丁", "乙", "丙"]);
    const found = { outcome: "found", results: 4, failure: null, detail: null, ms: expect.any(Number) };
    expect([ranking, failed]).toEqual([[{ what: "rerank", source: "rerank rerank-v3.5", target: QUESTION, ...found }], []]);
    expect(plain.ranking).toEqual([]);
    await server.close();
    expect(await replaysAlone(dossier, run.id)).toBe(true);
  });

  it("sends the question and the hits of the run, and nothing else", async () => {
    const { server, dossier } = await openRanked(tei(lastFirst));
    const { order } = await ask(dossier);
    expect(order).toEqual(["甲", "丁", "乙", "丙"]);
    const sent = server.asked.at(-1)?.body;
    const texts = NAMES.map(page).map(({ title, snippet }) => `${title}\n${snippet}`);
    expect(sent).toEqual({ query: QUESTION, texts, truncate: true });
  });

  it("sends only the 50 best by words, and keeps 12 of them", async () => {
    const names = Array.from({ length: 60 }, (_, i) => String.fromCodePoint(0x4e00 + i));
    const sources = Array.from({ length: 3 }, (_, s) => ({
      ...{ id: `pages${s}`, kind: "web" as const, title: "pages" },
      search: finding(() => names.slice(s * 20, s * 20 + 20).map((name) => ({ ...page(name), foundBy: `pages${s}` }))),
    }));
    const server = await start(cohere((text) => text.codePointAt(0) ?? 0));
    const dossier = await openDossier({
      parts: { sources },
      environment: { SOURCES: "pages0,pages1,pages2", RERANK_BASE_URL: `${server.url}/v2`, RERANK_MODEL: "m" },
    });
    const { run } = await ask(dossier);
    expect(server.asked.map(({ body }) => (body["documents"] as string[]).length)).toEqual([50]);
    expect(run.report?.sources.filter(({ score }) => score !== null)).toHaveLength(12);
  });

  it("uses embeddings if there is no reranker, and the reranker if there are both", async () => {
    const vectors = await start(embeddings((text) => (text === QUESTION ? [1, 0] : [lastFirst(text), 1])));
    const own = { EMBEDDINGS_BASE_URL: vectors.url, EMBEDDINGS_MODEL: "bge-m3" };
    expect((await ask(await open(own))).order).toEqual(["甲", "丁", "乙", "丙"]);
    expect(vectors.asked).toHaveLength(1);
    const server = await start(cohere(lastFirst));
    await ask(await open({ ...own, RERANK_BASE_URL: `${server.url}/v2`, RERANK_MODEL: "m" }));
    expect([vectors.asked.length, server.asked.length]).toEqual([1, 1]);
  });

  it("keeps the journal small: it has hashes of the texts, and the scores", async () => {
    const { dossier } = await openRanked(cohere(lastFirst), "/v2", { RERANK_MODEL: "m" });
    const { run } = await ask(dossier);
    const lines = (await dossier.recordingLines(run.id)).map((line) => JSON.parse(line));
    const [record, ...others] = lines.flatMap((line) => (line.record?.kind === "semantic" ? [line.record] : []));
    expect(others).toEqual([]);
    expect(record).toMatchObject({ ok: true, result: [0, 1, 2, 3], request: { ranker: "rerank m", question: QUESTION } });
    expect(record.request.texts).toEqual(NAMES.map(() => expect.stringMatching(/^[0-9a-f]{64}$/)));
  });
});

describe("a ranking by meaning that fails", () => {
  it.each<[string, Speak, string]>([
    ["breaks down", () => ({ status: 500, body: { error: "out of memory" } }), "unreachable"],
    ["answers with nonsense", () => ({ body: { results: [{ index: 9, relevance_score: "high" }] } }), "unreadable"],
    ["refuses the key", () => ({ status: 401, body: {} }), "blocked"],
  ])("because the server %s keeps the lexical order, and says so everywhere", async (_, speak, failure) => {
    const plain = await ask(await open({}));
    const { dossier } = await openRanked(speak, "", { RERANK_MODEL: "m" });
    const { run, ranking, failed } = await ask(dossier);
    expect(run.status).toBe("succeeded");
    expect(run.report?.sources).toEqual(plain.run.report?.sources);
    const detail = expect.stringContaining("ranked by their words");
    expect(ranking).toMatchObject([{ source: "rerank m", target: QUESTION, outcome: "failed", results: 0, failure, detail }]);
    expect(failed).toMatchObject([{ ranker: "rerank m", failure, message: ranking[0]?.detail }]);
    expect(run.report?.markdown).toContain("语义排序 rerank m");
    expect(await replaysAlone(dossier, run.id)).toBe(true);
  });

  it("because the server is gone after a restart keeps the lexical order", async () => {
    const effects: Effects = { ...plainEffects(), perform: async (effect) => effect.live(new AbortController().signal, NO_REPLIES) };
    const context = { name: "rerank m", semantic: null, question: QUESTION, timeoutMs: 1_000, effects };
    const hits = NAMES.map(page).map((hit) => ({ ...hit, score: 1, origin: hit.id, alternatives: [] }));
    const other = { name: "rerank n", score: async () => [1, 2, 3, 4] };
    for (const semantic of [null, other])
      expect(await judgeByMeaning(hits, { ...context, semantic })).toMatchObject({
        entry: { failure: "unreachable", detail: expect.stringContaining("rerank m is no longer configured") },
      });
    expect(await judgeByMeaning(hits, { ...context, name: "rerank n", semantic: other, timeoutMs: 0 })).toMatchObject({
      entry: { failure: "timeout" },
    });
  });

  it("is reported in the language of the report", async () => {
    const { dossier } = await openRanked(() => ({ status: 429, body: {} }));
    const { run } = await ask(dossier, "What burns in the lamp of Aldermoor?");
    expect(run.report?.markdown).toContain("ranking by rerank: takes no more requests for now");
    expect(run.report?.markdown).toContain("ranked by words alone: it takes no more requests for now");
  });

  it("ends with a run that is cancelled", async () => {
    const { server, dossier } = await openRanked(() => "hang");
    const { id } = await dossier.start({ question: QUESTION });
    await expect.poll(() => server.asked.length).toBe(1);
    await dossier.runs.cancel(TENANT, id);
    expect(await dossier.finish(id)).toMatchObject({ status: "cancelled", report: null });
    await expect.poll(() => server.aborted()).toBe(1);
    expect(await replaysAlone(dossier, id)).toBe(true);
  });

  it("takes no more than the time of the run", async () => {
    const server = await start(() => "hang");
    const clock = jumpingClock();
    // One of the 510 seconds for reading is left after the search.
    const source: SearchSource = {
      ...SOURCE,
      async search({ text: sent }) {
        clock.jump(509_000);
        return { hits: NAMES.map(page), gaps: null, sent };
      },
    };
    const environment = { SOURCES: "pages", RERANK_BASE_URL: server.url };
    const dossier = await openDossier({ parts: { sources: [source], clock: clock.now }, environment });
    const run = await dossier.finish((await dossier.start({ question: QUESTION, limits: { seconds: 600 } })).id);
    expect(run).toMatchObject({ status: "succeeded" });
    expect(run.report?.ledger.filter(({ what }) => what === "rerank")).toMatchObject([{ outcome: "failed", failure: "timeout" }]);
  });
});

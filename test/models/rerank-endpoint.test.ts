import { describe, expect, it } from "vitest";
import { createRerankEndpoint } from "../../src/models/semantic-endpoints.ts";
import { cohere, type SemanticReply, tei, vllm } from "../fakes/semantic-server.ts";
import { openEndpoint } from "./semantic-under-test.ts";

const TEXTS = ["a harbour", "灯塔的灯", "the lamp burns oil"];
const SCORES: Readonly<Record<string, number>> = { "a harbour": -4.5, 灯塔的灯: 0.25, "the lamp burns oil": 7 };
const score = (text: string) => SCORES[text] ?? 0;

describe("the formats of /rerank", () => {
  it("sends Cohere only its own fields, and returns the answer in the order of the texts", async () => {
    const { server, endpoint, signal } = await openEndpoint(cohere(score), "/v2", { apiKey: "key-1", model: "rerank-v3.5" });
    expect(await createRerankEndpoint(endpoint).score("灯里烧什么？", TEXTS, signal)).toEqual([-4.5, 0.25, 7]);
    expect(server.asked).toEqual([
      { path: "/v2/rerank", key: "Bearer key-1", body: { model: "rerank-v3.5", query: "灯里烧什么？", documents: TEXTS, top_n: 3 } },
    ]);
  });

  it("sends vLLM and Jina all texts in one request, without a key or a model if none is configured", async () => {
    const texts = Array.from({ length: 50 }, (_, i) => `文 ${i}`);
    const { server, endpoint, signal } = await openEndpoint(
      vllm((text) => 100 - Number(text.slice(2))),
      "/v1/",
    );
    const ranker = createRerankEndpoint(endpoint);
    expect(await ranker.score("q", texts, signal)).toEqual(texts.map((_, i) => 100 - i));
    expect(server.asked).toEqual([{ path: "/v1/rerank", key: undefined, body: { query: "q", documents: texts, top_n: 50 } }]);
    expect(ranker.name).toBe("rerank");
  });

  it("detects that Text Embeddings Inference expects another format, remembers it, and sends no more texts than it accepts", async () => {
    const texts = Array.from({ length: 50 }, (_, i) => `文 ${i}`);
    const { server, endpoint, signal } = await openEndpoint(tei((text) => 100 - Number(text.slice(2))));
    const ranker = createRerankEndpoint(endpoint);
    expect(await ranker.score("q", texts, signal)).toEqual(texts.map((_, i) => 100 - i));
    expect(await ranker.score("q", texts.slice(0, 2), signal)).toEqual([100, 99]);
    const sent = server.asked.map(({ body }) => [Object.keys(body).join(), (body["documents"] ?? body["texts"]) as string[]]);
    expect(sent).toEqual([
      ["query,documents,top_n", texts],
      ["query,texts,truncate", texts.slice(0, 32)],
      ["query,texts,truncate", texts.slice(32)],
      ["query,texts,truncate", texts.slice(0, 2)],
    ]);
  });

  it("sends nothing if there are no texts", async () => {
    const { server, endpoint, signal } = await openEndpoint(vllm(score));
    expect(await createRerankEndpoint(endpoint).score("q", [], signal)).toEqual([]);
    expect(server.asked).toEqual([]);
  });

  it("reports why a server of the common format refused, not that it does not know the other one", async () => {
    const { endpoint, signal } = await openEndpoint(cohere(score), "/v2");
    await expect(createRerankEndpoint(endpoint).score("q", TEXTS, signal)).rejects.toMatchObject({
      code: "unreadable",
      message: expect.stringContaining("model is required"),
    });
  });
});

const results = (...list: unknown[]): SemanticReply => ({ body: { results: list } });
const one = (index: unknown, relevance_score: unknown = 0.5) => ({ index, relevance_score });

describe("an answer without a score for each text", () => {
  it.each<[string, SemanticReply, string, string]>([
    ["lacks one", results(one(0), one(1)), "unreadable", "one score for each of 3"],
    ["names one twice", results(one(0), one(1), one(1)), "unreadable", "one score for each of 3"],
    ["names one beyond the last", results(one(0), one(1), one(3)), "unreadable", "one score for each of 3"],
    ["has one too many", results(one(0), one(1), one(2), one(2)), "unreadable", "one score for each of 3"],
    ["has a negative index", results(one(0), one(1), one(-1)), "unreadable", "not a list of scores"],
    ["has a score as a string", results(one(0), one(1), one(2, "0.9")), "unreadable", "not a list of scores"],
    ["has no number", { body: '{"results":[{"index":0,"relevance_score":NaN}]}' }, "unreadable", "not a list of scores"],
    ["has a score beyond all numbers", { body: '{"results":[{"index":0,"relevance_score":1e999}]}' }, "unreadable", "not a list of scores"],
    ["is an error with status 200", { body: { error: "模型没有加载" } }, "unreadable", "模型没有加载"],
    ["is empty", { body: "" }, "unreadable", "nothing"],
    ["is a web page", { type: "text/html", body: "<!doctype html><title>Log in</title>" }, "unreadable", "a web page"],
    ["is too large", { body: `{"results":[${" ".repeat(10_000_000)}]}` }, "document_too_large", "8000000 characters"],
    ["refuses the key", { status: 401, body: { message: "invalid api token sk-secret-1" } }, "blocked", "Check RERANK_API_KEY"],
    ["is not there", { status: 404, body: { detail: "Not Found" } }, "not_found", "must be the part of the URL before /rerank"],
    ["leads elsewhere", { status: 302, body: "" }, "unreadable", "answered 302"],
    ["asks for patience", { status: 429, body: { error: "Model is overloaded" } }, "rate_limited", "overloaded"],
    ["is a breakdown", { status: 503, body: "unhealthy" }, "unreachable", "answered 503: unhealthy"],
    ["is refused in both forms", { status: 400, body: { message: "too many documents" } }, "unreadable", "too many documents"],
  ])("is refused if it %s", async (_, reply, code, message) => {
    const { server, endpoint, signal } = await openEndpoint(() => reply, "", { apiKey: "sk-secret-1" });
    const ranker = createRerankEndpoint(endpoint);
    const failure = await ranker.score("灯", TEXTS, signal).catch((error) => error);
    expect(failure).toMatchObject({ name: "DossierError", code, message: expect.stringContaining(message) });
    expect(failure.message).not.toContain("sk-secret-1");
    expect(failure.message.length).toBeLessThan(400);
    expect(server.asked.length).toBeLessThanOrEqual(2);
  });

  it("is awaited until the signal is aborted, and then dropped", async () => {
    const { server, endpoint } = await openEndpoint(() => "hang");
    const abort = new AbortController();
    const waiting = createRerankEndpoint(endpoint).score("灯", TEXTS, abort.signal);
    await expect.poll(() => server.asked.length).toBe(1);
    abort.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    await expect.poll(() => server.aborted()).toBe(1);
  });

  it("is one of our errors if nothing listens", async () => {
    const { server, endpoint, signal } = await openEndpoint(vllm(score));
    await server.close();
    await expect(createRerankEndpoint(endpoint).score("q", TEXTS, signal)).rejects.toMatchObject({ code: "unreachable" });
  });
});

import { describe, expect, it } from "vitest";
import { createEmbeddingsEndpoint } from "../../src/models/semantic-endpoints.ts";
import { embeddings, type SemanticReply } from "../fakes/semantic-server.ts";
import { openEndpoint } from "./semantic-under-test.ts";

const VECTORS: Readonly<Record<string, number[]>> = { 灯: [2, 0], same: [50, 0], across: [0, -3], against: [-1, 0], between: [3, 4] };

describe("scores by embeddings", () => {
  it("are cosines, whatever the lengths of the vectors", async () => {
    const { server, endpoint, signal } = await openEndpoint(
      embeddings((text) => VECTORS[text] ?? []),
      "/v1",
      { apiKey: "k1", model: "bge-m3" },
    );
    const ranker = createEmbeddingsEndpoint(endpoint);
    const scores = await ranker.score("灯", ["between", "against", "same", "across"], signal);
    expect(scores.map((score) => Number(score.toFixed(6)) + 0)).toEqual([0.6, -1, 1, 0]);
    expect(ranker.name).toBe("embeddings bge-m3");
    expect(server.asked).toEqual([
      { path: "/v1/embeddings", key: "Bearer k1", body: { model: "bge-m3", input: ["灯", "between", "against", "same", "across"] } },
    ]);
  });

  it("use batches of 32, which every server accepts", async () => {
    const texts = Array.from({ length: 50 }, (_, i) => `文 ${i}`);
    const { server, endpoint, signal } = await openEndpoint(embeddings((text) => (text === "q" ? [1, 0] : [Number(text.slice(2)), 50])));
    const scores = await createEmbeddingsEndpoint(endpoint).score("q", texts, signal);
    expect(scores).toEqual(scores.toSorted((a, b) => a - b));
    expect(server.asked.map(({ body }) => (body["input"] as string[]).length)).toEqual([32, 19]);
  });
});

const data = (...list: unknown[]): SemanticReply => ({ body: { data: list } });
const vector = (index: number, embedding: unknown) => ({ index, embedding });

describe("an answer without a vector for each text", () => {
  it.each<[string, SemanticReply, string, string]>([
    ["lacks one", data(vector(0, [1])), "unreadable", "one vector for each of 2"],
    ["has one twice", data(vector(0, [1]), vector(0, [1])), "unreadable", "one vector for each of 2"],
    ["has vectors of other lengths", data(vector(0, [1]), vector(1, [1, 2])), "unreadable", "different lengths"],
    ["has a vector of zeros", data(vector(0, [1, 1]), vector(1, [0, 0])), "unreadable", "without a direction"],
    ["has an empty vector", data(vector(0, []), vector(1, [])), "unreadable", "not a list of vectors"],
    ["has base64 that nobody asked for", data(vector(0, "AACAPw=="), vector(1, "AACAPw==")), "unreadable", "not a list of vectors"],
    ["has a vector of a million numbers", data(vector(0, Array(1_000_000).fill(1)), vector(1, [1])), "unreadable", "not a list of vectors"],
    ["is too large", { body: " ".repeat(10_000_000) }, "document_too_large", "8000000 characters"],
    ["wants a model", { status: 400, body: { error: { message: "you must provide a model parameter" } } }, "unreadable", "provide a model"],
    ["refuses the key", { status: 403, body: "" }, "blocked", "Check EMBEDDINGS_API_KEY"],
    ["is not there", { status: 404, body: "{}" }, "not_found", "before /embeddings"],
  ])("is refused if it %s", async (_, reply, code, message) => {
    const { endpoint, signal } = await openEndpoint(() => reply, "", { setting: "EMBEDDINGS" });
    const failure = await createEmbeddingsEndpoint(endpoint)
      .score("灯", ["文"], signal)
      .catch((error) => error);
    expect(failure).toMatchObject({ name: "DossierError", code, message: expect.stringContaining(message) });
    expect(failure.message.length).toBeLessThan(400);
  });
});

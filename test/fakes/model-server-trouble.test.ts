import { describe, expect, it } from "vitest";
import { turns } from "../helpers/turns.ts";
import { ask, chunksIn, deltasIn } from "./model-server/ask.ts";
import * as say from "./model-server/behaviors.ts";
import { startModelServer } from "./model-server.ts";

describe("a server in trouble", () => {
  it("answers a status with headers, then continues with the script, whose last behavior repeats", async () => {
    const server = await startModelServer([say.status(429, undefined, { "retry-after": "2" }), say.repeat(say.text("好"))]);
    const busy = await ask(server);
    expect([busy.status, busy.headers.get("retry-after"), ((await busy.json()) as { error: { code: string } }).error.code]).toEqual([
      429,
      "2",
      "rate_limit_exceeded",
    ]);
    for (let at = 0; at < 3; at += 1) expect(await (await ask(server)).text()).toContain('"好"');
    expect(server.requests.map(({ status }) => status)).toEqual([429, 200, 200, 200]);
    expect(server.unexpected).toEqual([]);
  });

  it("sends errors inside a stream as Groq and as OpenRouter do", async () => {
    const server = await startModelServer([say.groqError("好"), say.openrouterError("好")]);
    expect(await (await ask(server)).text()).toMatch(/"好".*\n\nevent: error\ndata: \{"error":\{[^\n]+\n\n$/s);
    const routed = await (await ask(server)).text();
    expect(routed.startsWith(": ")).toBe(true);
    const [length, error, usage] = chunksIn(routed).slice(-3);
    expect(length?.choices[0]?.finish_reason).toBe("length");
    expect(error).toMatchObject({ error: { code: 502 } });
    expect(usage).toHaveProperty("usage.total_tokens");
    expect(routed.endsWith("data: [DONE]\n\n")).toBe(true);
  });

  it("resets after some pieces, which arrive, and does not count that as an abort", async () => {
    const server = await startModelServer([say.reset({ after: 2, of: say.text("一二三四五六七八九十") }), say.reset({ after: "nothing" })]);
    let body = "";
    const reading = async () => {
      const decoder = new TextDecoder();
      for await (const part of (await ask(server)).body ?? []) body += decoder.decode(part, { stream: true });
    };
    await expect(reading()).rejects.toThrow();
    expect(deltasIn(body).map(({ content }) => content)).toEqual(["", "一二三四", "五六七八"]);
    await expect(ask(server)).rejects.toThrow();
    expect(server.aborted()).toBe(0);
    expect(server.requests.map(({ status }) => status)).toEqual([200, null]);
  });

  it.each([["nothing"], [0], [1]] as const)("hangs after %s until the client leaves, and records when", async (after) => {
    const server = await startModelServer([say.hang({ after })]);
    const leaving = new AbortController();
    const answer = ask(server, {}, { signal: leaving.signal });
    await (after === "nothing" ? expect.poll(() => server.requests.length).toBe(1) : answer);
    expect(server.aborted()).toBe(0);
    leaving.abort();
    await expect(answer.then((response) => response.text())).rejects.toThrow();
    await expect.poll(() => server.aborted()).toBe(1);
    const [request] = server.requests;
    expect(request?.abortedAt).toBeGreaterThan(request?.at ?? Number.POSITIVE_INFINITY);
    expect([request?.endedAt, request?.status]).toEqual([null, after === "nothing" ? null : 200]);
  });

  it("repeats itself up to a size, no faster than the client reads", async () => {
    let produced = 0;
    const counts = {
      beforePiece() {
        produced += 1;
      },
    };
    const server = await startModelServer([say.repetition({ bytes: 8_000_000, of: "再看一遍。" }, counts)]);
    const response = await ask(server, { max_tokens: 5 });
    // Sockets and queues hold some of it; after that, nothing more is produced.
    for (let before = -1; before !== produced; await turns(200)) before = produced;
    expect(server.requests[0]?.endedAt).toBeNull();
    const content = deltasIn(await response.text()).map((delta) => delta["content"] ?? "");
    expect(Buffer.byteLength(content.join(""))).toBeGreaterThanOrEqual(8_000_000);
  });
});

it("closes although an answer hangs, and does not count that as an abort by the client", async () => {
  const server = await startModelServer([say.hang()]);
  const response = await ask(server);
  await server.close();
  await expect(response.text()).rejects.toThrow();
  expect(server.aborted()).toBe(0);
});

import { expect, it, onTestFinished, vi } from "vitest";
import { DossierError } from "../../src/errors.ts";
import { backoffMs } from "../../src/models/backoff.ts";
import type { Behavior } from "../fakes/model-server/behavior.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { plainEffects } from "../helpers/plain-effects.ts";
import { turns } from "../helpers/turns.ts";
import { OPTIONS, openModel, REQUEST } from "./model-under-test.ts";

type Limits = Parameters<typeof openModel>[1];

async function call(script: readonly Behavior[], limits: Limits = {}, apiKey?: string) {
  const server = await startModelServer(script);
  const effects = plainEffects();
  const outcome = await openModel(server, limits, apiKey)
    .complete(REQUEST, OPTIONS, effects)
    .catch((error: DossierError) => error);
  return { server, effects, outcome };
}

const restarts = ({ events }: ReturnType<typeof plainEffects>) =>
  events.flatMap((event) => (event.type === "call-restarted" ? [[event.try, event.reason] as const] : []));

it("waits as long as a busy server asks, for half a minute at most, and else for longer after each try", () => {
  vi.spyOn(Math, "random").mockReturnValue(0.999);
  expect([1, 2, 3].map((number) => backoffMs(number, 7_000, 60_000))).toEqual([0, 7_000, 7_000]);
  expect(backoffMs(2, 40_000, 60_000)).toBe(30_000);
  expect([1, 2, 3, 9].map((number) => backoffMs(number, null, 60_000))).toEqual([0, 999, 1_998, 29_970]);
  expect(backoffMs(3, null, 500)).toBe(499.5);
});

it("asks a busy server again", async () => {
  const { effects, outcome } = await call([say.status(429, undefined, { "retry-after-ms": "10" }), say.text("好")]);
  expect(outcome).toMatchObject({ content: "好" });
  expect(restarts(effects)).toEqual([
    [2, expect.stringMatching(/^The model's server at 127\.0\.0\.1:\d+ answered 429: Scripted status 429\.$/)],
  ]);
  expect(effects.spent().modelCalls).toBe(2);
});

it("gives up at once if a server asks for more time than is left, and says when to try again", async () => {
  const { server, outcome } = await call([say.status(429, undefined, { "retry-after": "40" })], { callMs: 30_000 });
  expect(outcome).toMatchObject({
    code: "model_unavailable",
    message: expect.stringContaining("It accepts requests again in 40 seconds."),
  });
  expect(server.requests).toHaveLength(1);
});

it("reads the dates and milliseconds of a server's Retry-After", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-11-20T12:00:00Z") });
  onTestFinished(() => void vi.useRealTimers());
  const date = "Fri, 20 Nov 2026 12:01:00 GMT";
  for (const headers of [{ "retry-after": date }, { "retry-after-ms": "60000" }] as Record<string, string>[])
    expect((await call([say.status(503, undefined, headers)], { callMs: 30_000 })).outcome).toMatchObject({
      message: expect.stringContaining("again in 60 seconds"),
    });
});

it("cuts a server's long message between characters", async () => {
  const { outcome } = await call([say.status(403, `${"好".repeat(10)}${"😀".repeat(300)}`)]);
  const { message } = outcome as DossierError;
  expect(message).toContain("😀");
  expect(message.length).toBeLessThan(500);
  expect(message.isWellFormed()).toBe(true);
});

it("tries three times and no more", async () => {
  const { server, effects, outcome } = await call([say.repeat(say.status(503))]);
  expect(outcome).toMatchObject({ code: "model_unavailable", message: expect.stringContaining("It was tried 3 times") });
  expect(server.requests).toHaveLength(3);
  expect(restarts(effects).map(([number]) => number)).toEqual([2, 3]);
});

it.each([
  ["a connection that is reset in the middle", say.reset({ after: 2 })],
  ["a connection that is reset before anything comes", say.reset({ after: "nothing" })],
  ["a stream that ends in the middle", say.breakOff({ after: 2 })],
  ["an error of the server's inside a stream", say.openrouterError("半")],
])("tries again after %s, and retracts the shown text", async (_, trouble) => {
  const { effects, outcome } = await call([trouble, say.text("完整的回答")]);
  expect(outcome).toMatchObject({ content: "完整的回答" });
  const told = effects.events.map((event) => (event.type === "content" ? `${event.type} ${event.try}` : event.type));
  expect([...new Set(told)].slice(-4)).toEqual(["call-restarted", "content 2", "call-ended", "usage"]);
});

it("tries again if nothing listens, and says so", async () => {
  const effects = plainEffects();
  const outcome = openModel({ url: "http://127.0.0.1:9/v1" }).complete(REQUEST, OPTIONS, effects);
  await expect(outcome).rejects.toMatchObject({
    code: "model_unavailable",
    message: expect.stringMatching(/127\.0\.0\.1:9 could not be reached \(connection refused\)/),
  });
  expect(restarts(effects)).toHaveLength(2);
});

it.each([
  [401, "model_refused", "check OPENAI_API_KEY"],
  [403, "model_refused", "check OPENAI_API_KEY"],
  [404, "model_refused", "check the model's name and OPENAI_BASE_URL"],
  [402, "model_refused", "has no credit left"],
])("never tries again after %i", async (status, code, says) => {
  const { server, outcome } = await call([say.status(status)]);
  expect(outcome).toMatchObject({ code, message: expect.stringContaining(says) });
  expect((outcome as DossierError).message).toContain(`Scripted status ${status}.`);
  expect(server.requests).toHaveLength(1);
});

it("never tries again if the account is empty, and hides keys", async () => {
  const key = "sk-verysecret0123456789";
  const error = { message: `You exceeded your current quota, ${key}.`, type: "insufficient_quota", code: "insufficient_quota" };
  const { server, outcome } = await call([say.status(429, { error })], {}, key);
  expect(outcome).toMatchObject({ code: "model_refused", message: expect.stringContaining("exceeded your current quota, ***") });
  expect((outcome as DossierError).message).not.toContain("verysecret");
  expect(server.requests).toHaveLength(1);
});

it.each([
  '{"error":{"message":"This model\'s maximum context length is 8192 tokens.","code":"context_length_exceeded"}}',
  '{"object":"error","message":"The prompt (total length 9000) is longer than the maximum model length of 8192. max_model_len","code":400}',
  '{"error":{"code":400,"message":"the request exceeds the available context size (4096 tokens)","type":"exceed_context_size_error"}}',
])("reports that a conversation is too large: %s", async (body) => {
  const server = await startModelServer([say.repeat(say.status(400, body))]);
  const messages = [{ role: "user" as const, content: "灯塔".repeat(4_500) }];
  await expect(openModel(server).complete({ ...REQUEST, messages }, OPTIONS, plainEffects())).rejects.toMatchObject({
    code: "context_too_large",
  });
});

it.each([
  ["its first token", say.hang({ after: "nothing" }), { firstTokenMs: 150 }],
  ["its first token", say.hang({ after: 0 }), { firstTokenMs: 150 }],
  ["the next token", say.hang({ after: 2 }), { betweenTokensMs: 150 }],
  ["the end of its answer", say.hang({ after: 2 }), { callMs: 300 }],
] as const)("waits for %s within its limit, and does not try again after that", async (what, trouble, limits) => {
  const { server, outcome } = await call([trouble], limits);
  expect(outcome).toMatchObject({ code: "timeout", message: expect.stringContaining(`did not send ${what} within`) });
  expect(server.requests).toHaveLength(1);
  await expect.poll(() => server.aborted()).toBe(1);
});

it.each([
  ["before the first byte", say.hang({ after: "nothing" })],
  ["after the headers", say.hang({ after: 0 })],
  ["in the middle", say.hang({ after: 2 })],
  ["while it goes on", { ...say.hang({ after: 500, of: say.text("不同的话。 Words. ".repeat(200)) }), beforePiece: () => turns(5) }],
  ["while it waits to try again", say.status(429, undefined, { "retry-after": "8" })],
])("ends the request on the wire when it is cancelled %s", async (_, trouble) => {
  const server = await startModelServer([trouble]);
  const run = new AbortController();
  const done = openModel(server).complete(REQUEST, OPTIONS, plainEffects({ signal: run.signal }));
  done.catch(() => undefined);
  await expect.poll(() => server.requests.length).toBe(1);
  await turns(50);
  run.abort(new DossierError("cancelled", "The run was cancelled."));
  await expect(done).rejects.toMatchObject({ code: "cancelled" });
  await expect.poll(() => server.requests[0]?.abortedAt ?? server.requests[0]?.endedAt).not.toBeNull();
  expect(server.requests).toHaveLength(1);
});

it("repeats a call that a crash cut off, without counting it as a try", async () => {
  const server = await startModelServer([say.status(503), say.status(503), say.text("好")]);
  const crash = new DossierError("interrupted", "The process ended in the middle of this call.");
  const effects = plainEffects({ instead: (number) => (number === 1 ? crash : null) });
  let taken = 0;
  const reply = await openModel(server).complete(REQUEST, { ...OPTIONS, restart: () => (taken += 1) }, effects);
  expect(reply.content).toBe("好");
  expect(restarts(effects).map(([number]) => number)).toEqual([2, 3, 4]);
  expect(taken).toBe(3);
});

it("sends the same request in every try", async () => {
  const { effects } = await call([say.status(500), say.text("好")]);
  expect(effects.requests[0]).toEqual(effects.requests[1]);
  expect(effects.requests[0]).toEqual({ kind: "model", request: REQUEST });
});

it("says that the run's time is up if that ended a call", async () => {
  const server = await startModelServer([say.hang({ after: 2 })]);
  const outcome = openModel(server).complete(REQUEST, { ...OPTIONS, timeoutMs: 1_000 }, plainEffects());
  await expect(outcome).rejects.toMatchObject({
    code: "timeout",
    message: expect.stringMatching(
      /^The model did not send the end of its answer within \d+ ms; nothing of the answer was kept\. No more was left of the run's time; raise limits\.seconds \(MAX_SECONDS\)\.$/,
    ),
  });
});

it("tries once if no more tries are allowed", async () => {
  const server = await startModelServer([say.repeat(say.status(500))]);
  const outcome = openModel(server).complete(REQUEST, { ...OPTIONS, tries: 1 }, plainEffects());
  await expect(outcome).rejects.toMatchObject({
    code: "model_unavailable",
    message: expect.stringMatching(/Scripted status 500\. It was tried once; try again later\.$/),
  });
  expect(server.requests).toHaveLength(1);
});

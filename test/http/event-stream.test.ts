import { EventSourceParserStream } from "eventsource-parser/stream";
import { describe, expect, it } from "vitest";
import { DossierError } from "../../src/errors.ts";
import { postJson, startApp } from "./app-under-test.ts";

interface Received {
  readonly id: string;
  readonly event: string;
  readonly data: { readonly [field: string]: unknown };
}

async function readEvents(response: Response): Promise<Received[]> {
  if (response.body === null) return [];
  const received: Received[] = [];
  for await (const message of response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())) {
    received.push({ id: message.id ?? "", event: message.event ?? "", data: JSON.parse(message.data) });
  }
  return received;
}

const ids = (events: Received[]) => events.map(({ id }) => Number(id));

describe("the event stream of a run", () => {
  it("carries past and future events, and ends after run-ended", async () => {
    const { url, runs } = await startApp();
    runs.add();
    runs.say("run-1", { type: "run-queued" }, { type: "run-started", attempt: 1 });
    const response = await fetch(`${url}/research/run-1/events`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    runs.say("run-1", { type: "content", node: "summarize", callId: "c", try: 1, delta: "净利润\r\n\n为402.5亿元\u2028🚗" });
    runs.end("run-1");
    const events = await readEvents(response);
    expect(ids(events)).toEqual([1, 2, 3, 4]);
    expect(events.map(({ event }) => event)).toEqual(["run-queued", "run-started", "content", "run-ended"]);
    expect(events[2]?.data).toEqual({
      seq: 3,
      runId: "run-1",
      at: "2026-08-01T10:00:00.000Z",
      path: "",
      type: "content",
      node: "summarize",
      callId: "c",
      try: 1,
      delta: "净利润\r\n\n为402.5亿元\u2028🚗",
    });
  });

  it("has an id, an event and one data line for each event", async () => {
    const { url, runs } = await startApp();
    runs.add();
    runs.say("run-1", { type: "run-started", attempt: 2 });
    runs.end("run-1");
    const text = await (await fetch(`${url}/research/run-1/events`)).text();
    expect(text.split("\n\n")[0]).toBe(
      'id: 1\nevent: run-started\ndata: {"seq":1,"runId":"run-1","at":"2026-08-01T10:00:00.000Z","path":"","type":"run-started","attempt":2}',
    );
  });

  it("continues after Last-Event-ID, or ?after, and the header takes precedence", async () => {
    const { url, runs } = await startApp();
    runs.add();
    for (let attempt = 1; attempt <= 5; attempt++) runs.say("run-1", { type: "run-started", attempt });
    runs.end("run-1");
    const from = async (query: string, headers: Record<string, string> = {}) =>
      ids(await readEvents(await fetch(`${url}/research/run-1/events${query}`, { headers })));
    expect(await from("?after=4")).toEqual([5, 6]);
    expect(await from("", { "last-event-id": "3" })).toEqual([4, 5, 6]);
    expect(await from("?after=1", { "last-event-id": "5" })).toEqual([6]);
    expect(await from("?after=0")).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("is 204 if nothing can follow any more", async () => {
    const { url, runs } = await startApp();
    runs.add();
    runs.end("run-1");
    const response = await fetch(`${url}/research/run-1/events?after=1`);
    expect([response.status, await response.text()]).toEqual([204, ""]);
  });

  it.each(["-1", "x", "1.5", "1e3", "", " ", "9".repeat(16), "1, 2"])("refuses the Last-Event-ID %j", async (id) => {
    const { url, runs } = await startApp();
    runs.add();
    const header = await fetch(`${url}/research/run-1/events`, { headers: { "last-event-id": id } });
    expect([header.status, await header.json()]).toMatchObject([400, { code: "invalid_request", errors: [{ path: "/last-event-id" }] }]);
    const query = await fetch(`${url}/research/run-1/events?after=${encodeURIComponent(id)}`);
    expect([query.status, await query.json()]).toMatchObject([400, { code: "invalid_request", errors: [{ path: "/after" }] }]);
  });

  it("is a problem if the run does not exist", async () => {
    const { url } = await startApp();
    const response = await fetch(`${url}/research/none/events`);
    expect([response.status, await response.json()]).toMatchObject([404, { code: "not_found" }]);
  });

  it("carries a comment line while the run emits nothing", async () => {
    const { url, runs } = await startApp({ heartbeatMs: 20 });
    runs.add();
    const response = await fetch(`${url}/research/run-1/events`);
    let text = "";
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      if (text.split(": keep-alive\n\n").length === 3) runs.end("run-1");
    }
    expect(text).toMatch(/^(: keep-alive\n\n){2,}id: 1\n/);
  });

  it("sends its headers before the first event", async () => {
    const { url, runs } = await startApp();
    runs.add();
    const response = await fetch(`${url}/research/run-1/events`);
    expect(response.status).toBe(200);
    await response.body?.cancel();
  });

  it("answers HEAD with the headers alone", async () => {
    const { url, runs } = await startApp();
    runs.add();
    const response = await fetch(`${url}/research/run-1/events`, { method: "HEAD" });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
    expect(runs.followers).toBe(0);
  });

  it("ends for the reader that leaves and for no other", async () => {
    const { url, runs } = await startApp();
    runs.add();
    const [leaving, staying] = await Promise.all([fetch(`${url}/research/run-1/events`), fetch(`${url}/research/run-1/events`)]);
    await expect.poll(() => runs.followers).toBe(2);
    await leaving.body?.cancel();
    await expect.poll(() => runs.followers).toBe(1);
    runs.end("run-1");
    expect(ids(await readEvents(staying))).toEqual([1]);
    expect(runs.calls.map(({ method }) => method)).not.toContain("cancel");
  });

  it("is cut when it fails, so that its reader reconnects", async () => {
    const { url, runs, logLines } = await startApp();
    runs.add();
    runs.failNext("follow", new DossierError("internal", "The log cannot be read."));
    const response = await fetch(`${url}/research/run-1/events`);
    await expect(response.text()).rejects.toThrow();
    expect(logLines.some(({ msg }) => msg === "response stream failed; closed the connection")).toBe(true);
  });
});

describe("starting a run for its events", () => {
  it("answers with the stream and the address of the run", async () => {
    const { url, runs } = await startApp();
    const response = await postJson(`${url}/research`, { question: "q" }, { accept: "Text/Event-Stream; charset=utf-8" });
    expect([response.status, response.headers.get("location")]).toEqual([200, "/research/run-1"]);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    runs.end("run-1");
    expect(ids(await readEvents(response))).toEqual([1, 2]);
  });

  it("continues at Last-Event-ID for a repeated Idempotency-Key", async () => {
    const { url, runs } = await startApp();
    const headers = { accept: "text/event-stream", "idempotency-key": "k" };
    const first = await postJson(`${url}/research`, { question: "q" }, headers);
    await first.body?.cancel();
    runs.end("run-1");
    const second = await postJson(`${url}/research`, { question: "q" }, { ...headers, "last-event-id": "1" });
    expect(ids(await readEvents(second))).toEqual([2]);
    const third = await postJson(`${url}/research`, { question: "q" }, { ...headers, "last-event-id": "2" });
    expect([third.status, third.headers.get("location")]).toEqual([204, "/research/run-1"]);
  });

  it.each(["application/json, text/event-stream", "*/*", "text/*", "text/event-stream;q=0"])(
    "does not stream for Accept: %s",
    async (accept) => {
      const { url } = await startApp();
      const response = await postJson(`${url}/research`, { question: "q" }, { accept });
      expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    },
  );
});

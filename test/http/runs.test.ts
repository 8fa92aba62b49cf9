import { describe, expect, it } from "vitest";
import { exchange, postJson, startApp } from "./app-under-test.ts";

describe("starting a run", () => {
  it("answers 202 with the run and its address", async () => {
    const { url, runs } = await startApp();
    const response = await postJson(`${url}/research`, { question: "What is a dossier?" });
    expect(response.status).toBe(202);
    expect(response.headers.get("location")).toBe("/research/run-1");
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await response.json()).toMatchObject({ id: "run-1", status: "running", question: "What is a dossier?" });
    expect(runs.calls).toMatchObject([
      { method: "start", args: ["default", { question: "What is a dossier?", graph: "executor", language: "auto" }, {}] },
    ]);
  });

  it("returns a Chinese question unchanged", async () => {
    const { url, runs } = await startApp();
    const question = "比亚迪2024年的净利润是多少？🚗";
    const response = await postJson(`${url}/research`, { question, metadata: { 部门: "研究𠮷" } });
    expect(await response.json()).toMatchObject({ question: "比亚迪2024年的净利润是多少？🚗", metadata: { 部门: "研究𠮷" } });
    expect(await (await fetch(`${url}/research/run-1`)).json()).toMatchObject({ question: "比亚迪2024年的净利润是多少？🚗" });
    expect(runs.calls[0]?.args[1]).toMatchObject({ question: "比亚迪2024年的净利润是多少？🚗" });
  });

  it("accepts a byte order mark before the body", async () => {
    const { url } = await startApp();
    expect((await postJson(`${url}/research`, '\uFEFF{"question":"q"}')).status).toBe(202);
  });

  it("returns the first run for a repeated Idempotency-Key, and 422 for another body with that key", async () => {
    const { url } = await startApp();
    const key = { "idempotency-key": "order 66" };
    const first = await postJson(`${url}/research`, { question: "q" }, key);
    const second = await postJson(`${url}/research`, { question: "q" }, key);
    const other = await postJson(`${url}/research`, { question: "another" }, key);
    expect([first.status, second.status, other.status]).toEqual([202, 202, 422]);
    expect(second.headers.get("location")).toBe("/research/run-1");
    expect(await other.json()).toMatchObject({ code: "idempotency_mismatch", status: 422 });
  });

  it.each([
    ["", "empty"],
    ["x".repeat(256), "too long"],
    ["clé", "not ASCII"],
    ["a\tb", "with a tab"],
  ])("refuses the Idempotency-Key %j (%s)", async (key) => {
    const { url } = await startApp();
    const response = await postJson(`${url}/research`, { question: "q" }, { "idempotency-key": key });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "invalid_request", errors: [{ path: "/idempotency-key" }] });
  });
});

describe("two Idempotency-Keys", () => {
  it.each(["a", "b"])("are refused, equal or not: a and %s", async (second) => {
    const { port, runs } = await startApp();
    const body = '{"question":"q"}';
    const keys = `Idempotency-Key: a\r\nIdempotency-Key: ${second}`;
    const head = `POST /research HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n${keys}`;
    const answer = await exchange(port, `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([
      400,
      { code: "invalid_request", errors: [{ path: "/idempotency-key", message: "must be given once" }] },
    ]);
    expect(runs.calls).toEqual([]);
  });
});

describe("waiting for a run while starting it", () => {
  it("answers 200 if the run ends in time", async () => {
    const { url, runs } = await startApp();
    const answer = postJson(`${url}/research`, { question: "q" }, { prefer: "respond-async, wait=30" });
    await expect.poll(() => runs.calls.length).toBe(2);
    runs.end("run-1");
    const response = await answer;
    expect(response.status).toBe(200);
    expect(response.headers.get("preference-applied")).toBe("wait=30");
    expect(response.headers.get("location")).toBe("/research/run-1");
    expect(await response.json()).toMatchObject({ status: "succeeded" });
  });

  it("answers 200 if the run begins to wait for its user", async () => {
    const { url, runs } = await startApp();
    const answer = postJson(`${url}/research`, { question: "q" }, { prefer: "wait=30" });
    await expect.poll(() => runs.calls.length).toBe(2);
    runs.change("run-1", { status: "waiting" });
    expect((await answer).status).toBe(200);
  });

  it("answers 202 with the current state of the run when the time is over", async () => {
    const { url } = await startApp();
    const response = await postJson(`${url}/research`, { question: "q" }, { prefer: "wait=1" });
    expect(response.status).toBe(202);
    expect(await response.json()).toMatchObject({ status: "running" });
  });

  it("waits at most a minute and confirms that", async () => {
    const { url, runs } = await startApp();
    const answer = postJson(`${url}/research`, { question: "q" }, { prefer: "wait=100000" });
    await expect.poll(() => runs.calls.length).toBe(2);
    runs.end("run-1");
    expect((await answer).headers.get("preference-applied")).toBe("wait=60");
    expect(runs.calls[1]?.args[2]).toMatchObject({ timeoutMs: 60_000 });
  });

  it.each(["wait", "wait=", "wait=-1", "wait=soon", '"wait=5"', "waiting=5", ";;,=,"])("ignores the preference %j", async (prefer) => {
    const { url, runs } = await startApp();
    const response = await postJson(`${url}/research`, { question: "q" }, { prefer });
    expect(response.status).toBe(202);
    expect(response.headers.get("preference-applied")).toBeNull();
    expect(runs.calls.map(({ method }) => method)).toEqual(["start"]);
  });

  it("stops waiting when the client leaves, and cancels nothing", async () => {
    const { url, runs } = await startApp();
    const leaving = new AbortController();
    const headers = { "content-type": "application/json", prefer: "wait=30" };
    const answer = fetch(`${url}/research`, { method: "POST", body: '{"question":"q"}', headers, signal: leaving.signal });
    await expect.poll(() => runs.calls.length).toBe(2);
    leaving.abort();
    await expect(answer).rejects.toThrow("abort");
    const { signal } = runs.calls[1]!.args[2] as { signal: AbortSignal };
    await expect.poll(() => signal.aborted).toBe(true);
    expect(runs.calls.map(({ method }) => method)).toEqual(["start", "wait"]);
  });
});

describe("a run as a resource", () => {
  it("is read, cancelled once and deleted", async () => {
    const { url, runs } = await startApp();
    runs.add();
    expect((await fetch(`${url}/research/run-1`)).status).toBe(200);
    const early = await fetch(`${url}/research/run-1`, { method: "DELETE" });
    expect([early.status, await early.json()]).toMatchObject([409, { code: "run_not_finished" }]);
    const cancelled = await fetch(`${url}/research/run-1/cancel`, { method: "POST" });
    expect([cancelled.status, await cancelled.json()]).toMatchObject([202, { status: "cancelled" }]);
    const again = await fetch(`${url}/research/run-1/cancel`, { method: "POST" });
    expect([again.status, await again.json()]).toMatchObject([409, { code: "run_finished" }]);
    const deleted = await fetch(`${url}/research/run-1`, { method: "DELETE" });
    expect([deleted.status, await deleted.text()]).toEqual([204, ""]);
    expect((await fetch(`${url}/research/run-1`)).status).toBe(404);
  });

  it("is named, and loses its name", async () => {
    const { url, runs } = await startApp();
    runs.add();
    const rename = (title: unknown) =>
      fetch(`${url}/research/run-1`, {
        method: "PATCH",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ title }),
      });
    const named = await rename("  灯塔 <b>history</b> ");
    expect([named.status, await named.json()]).toMatchObject([200, { title: "灯塔 <b>history</b>", question: "What is a dossier?" }]);
    for (const title of ["", " ", "x".repeat(201), 7]) expect((await rename(title)).status, String(title)).toBe(400);
    expect(await (await fetch(`${url}/research/run-1`)).json()).toHaveProperty("title");
    expect(await (await rename(null)).json()).not.toHaveProperty("title");
    const unknown = await fetch(`${url}/research/none`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: '{"title":"x"}',
    });
    expect(unknown.status).toBe(404);
  });

  it("accepts an empty JSON body for cancelling, but no fields", async () => {
    const { url, runs } = await startApp();
    runs.add();
    const refused = await postJson(`${url}/research/run-1/cancel`, { reason: "too slow" });
    expect([refused.status, await refused.json()]).toMatchObject([400, { code: "invalid_request", errors: [{ path: "/reason" }] }]);
    expect((await postJson(`${url}/research/run-1/cancel`, "")).status).toBe(202);
  });

  it("accepts the requested answer and refuses any other", async () => {
    const { url, runs } = await startApp();
    runs.add({ status: "waiting" });
    const answered = await postJson(`${url}/research/run-1/answer`, { answer: { 年份: 2024 }, pendingId: "p1" });
    expect([answered.status, await answered.json()]).toMatchObject([202, { status: "running" }]);
    expect(runs.calls[0]).toEqual({ method: "answer", args: ["default", "run-1", { answer: { 年份: 2024 }, pendingId: "p1" }] });
    const late = await postJson(`${url}/research/run-1/answer`, { answer: "2024" });
    expect([late.status, await late.json()]).toMatchObject([409, { code: "run_not_waiting" }]);
    const unknown = await postJson(`${url}/research/run-1/answer`, { anwser: "2024" });
    expect(await unknown.json()).toMatchObject({ code: "invalid_request", errors: [{ path: "/anwser", message: "is not a known field" }] });
  });

  it("is not looked for by what no database can hold", async () => {
    const { url, runs } = await startApp();
    const response = await fetch(`${url}/research?graph=%00`);
    expect([response.status, await response.json()]).toMatchObject([400, { code: "invalid_request", errors: [{ path: "/graph" }] }]);
    expect(runs.calls).toEqual([]);
  });

  it("is listed, newest first, page by page", async () => {
    const { url, runs } = await startApp();
    for (const status of ["succeeded", "running", "running"] as const) runs.add({ status });
    const page = await (await fetch(`${url}/research?status=running&limit=1`)).json();
    expect(page).toMatchObject({ runs: [{ id: "run-3" }], nextCursor: "more" });
    await fetch(`${url}/research?threadId=t1&cursor=more`);
    expect(runs.calls.map(({ args }) => args[1])).toEqual([
      { status: "running", limit: 1, visibleTo: null },
      { threadId: "t1", limit: 20, cursor: "more", visibleTo: null },
    ]);
  });

  it.each([
    "limit=0",
    "limit=101",
    "limit=ten",
    "limit=1e1",
    "limit=",
    "limit=1&limit=2",
    "status=done",
    "cursor=",
    "sort=asc",
    "__proto__=1",
  ])("refuses the query %s", async (query) => {
    const { url, runs } = await startApp();
    const response = await fetch(`${url}/research?${query}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "invalid_request", errors: [{ path: `/${query.split("=")[0]}` }] });
    expect(runs.calls).toEqual([]);
  });

  it("answers HEAD like GET without a body", async () => {
    const { url, runs } = await startApp();
    runs.add();
    const response = await fetch(`${url}/research/run-1`, { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([200, ""]);
    expect((await fetch(`${url}/research/run-9`, { method: "HEAD" })).status).toBe(404);
  });
});

import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { DossierError } from "../../src/errors.ts";
import { createReportFiles } from "../../src/reports/report-files.ts";
import { turns } from "../helpers/turns.ts";
import { sampleRun } from "../reports/sample-run.ts";
import { get, postJson, startApp } from "./app-under-test.ts";

/** A test that takes so long has failed. */
const HOUR_MS = 3_600_000;

const connected = (port: number) =>
  new Promise<ReturnType<typeof connect>>((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(socket));
  });

it("handles no request before everything is open", async () => {
  const opened = Promise.withResolvers<void>();
  const { app, url, runs } = await startApp({ opened: opened.promise });
  const arrived = once(app.server, "request");
  const answer = postJson(`${url}/research`, { question: "q" });
  await arrived;
  await turns(100);
  expect(runs.calls).toEqual([]);
  opened.resolve();
  expect((await answer).status).toBe(202);
});

describe("closing the server", () => {
  it("ends open event streams cleanly, before the grace period is over", async () => {
    const { app, url, runs } = await startApp({ closeGraceMs: HOUR_MS });
    runs.add();
    runs.say("run-1", { type: "run-queued" });
    const stream = (await fetch(`${url}/research/run-1/events`)).text();
    await expect.poll(() => runs.followers).toBe(1);
    await app.close();
    expect(await stream).toMatch(/^id: 1\nevent: run-queued\n/);
    expect(runs.followers).toBe(0);
  });

  it("answers a client that waits for a run with the current state of the run", async () => {
    const { app, url, runs } = await startApp({ closeGraceMs: HOUR_MS });
    const answer = postJson(`${url}/research`, { question: "q" }, { prefer: "wait=30" });
    await expect.poll(() => runs.calls.length).toBe(2);
    await app.close();
    expect((await answer).status).toBe(202);
  });

  it.each(["pdf", "docx"])("says that a %s was not rendered because the server stops, and when to ask again", async (format) => {
    const reports = createReportFiles({ program: "dossier 1.2.3" });
    const asked = Promise.withResolvers<void>();
    const render: typeof reports.render = (...args) => {
      asked.resolve();
      return reports.render(...args);
    };
    const { app, url, runs } = await startApp({ closeGraceMs: HOUR_MS, reports: { ...reports, render } });
    const { id } = runs.add(sampleRun("港口的收入是多少？"));
    const answer = fetch(`${url}/research/${id}/report?format=${format}`);
    await asked.promise;
    await app.close();
    expect([(await answer).status, (await answer).headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await (await answer).json()).toMatchObject({ code: "draining" });
    await reports.close();
  });

  it("finishes the file that is being rendered, and refuses those that wait", async () => {
    const reports = createReportFiles({ program: "dossier" });
    const signal = new AbortController().signal;
    const render = (question: string) =>
      reports.render(sampleRun(question), "docx", signal).then(
        () => "rendered",
        (error: DossierError) => error.code,
      );
    const files = Promise.all(["港口？", "Harbour?", "灯塔？"].map(render));
    await reports.drain(60_000);
    expect(await files).toEqual(["rendered", "draining", "draining"]);
    await reports.close();
  });

  it("cuts a download that is not finished, so that it does not look whole", async () => {
    const { app, url, runs } = await startApp({ closeGraceMs: HOUR_MS });
    const { id } = runs.add(sampleRun());
    const more = Promise.withResolvers<void>();
    runs.bundle = async function* () {
      yield "{".repeat(70_000);
      await more.promise;
      yield "}".repeat(70_000);
    };
    const response = await fetch(`${url}/research/${id}/bundle`);
    const closed = app.close();
    const seen = response.text().then(
      () => "whole",
      () => "cut",
    );
    await expect.poll(() => app.server.listening).toBe(false);
    more.resolve();
    expect(await seen).toBe("cut");
    await closed;
  });

  it("is not delayed by idle or silent connections", async () => {
    const { app, url, port } = await startApp({ closeGraceMs: HOUR_MS });
    const silent = await connected(port);
    const kept = await connected(port);
    kept.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await new Promise((resolve) => kept.once("data", resolve));
    await (await fetch(`${url}/healthz`)).text();
    silent.on("error", () => undefined);
    await app.close();
  });

  it("cuts a request that does not end, after the grace period", async () => {
    const { app, port } = await startApp({ closeGraceMs: 200 });
    const arrived = once(app.server, "request");
    const stuck = await connected(port);
    stuck.on("error", () => undefined);
    stuck.write("POST /research HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{");
    await arrived;
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const ended = vi.fn();
    stuck.on("close", ended);
    const closed = app.close();
    while (vi.getTimerCount() === 0) await turns(1);
    vi.advanceTimersByTime(199);
    await turns(100);
    expect(ended).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    await closed;
    await expect.poll(() => ended.mock.calls.length).toBe(1);
  });

  it("finishes the open requests of a connection and refuses later ones", async () => {
    const { app, port, runs } = await startApp({ closeGraceMs: HOUR_MS });
    runs.add();
    const asked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const read = runs.get.bind(runs);
    runs.get = async (tenant, id) => {
      asked.resolve();
      await released.promise;
      return read(tenant, id);
    };
    const socket = await connected(port);
    const answers = text(socket);
    socket.write(get("/research/run-1", { Host: "localhost" }).replace("Connection: close\r\n", ""));
    await asked.promise;
    const closed = app.close();
    const arrived = once(app.server, "request");
    socket.write(get("/graphs", { Host: "localhost" }).replace("Connection: close\r\n", ""));
    await arrived;
    released.resolve();
    expect(await answers).toMatch(/^HTTP\/1\.1 200 OK.*HTTP\/1\.1 503 Service Unavailable.*"code":"draining"/s);
    await closed;
  });
});

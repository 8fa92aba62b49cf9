import { describe, expect, it } from "vitest";
import { DossierError } from "../../src/errors.ts";
import { quietOperations, startApp } from "./app-under-test.ts";

describe("the service itself", () => {
  it("returns its health, graphs and sources", async () => {
    const { url } = await startApp();
    const read = async (path: string) => (await fetch(url + path)).json();
    expect(await read("/healthz")).toEqual({ status: "ok", version: "1.2.3" });
    expect(await read("/readyz")).toEqual({
      status: "ready",
      data: { bytes: 4_096, tooLarge: false, cleaned: "2026-08-01T10:00:00.000Z" },
      runs: { active: 1 },
      indexing: null,
    });
    expect(await read("/graphs")).toEqual({ graphs: [{ name: "executor", description: "Searches, reads, writes." }] });
    expect(await read("/graphs/executor")).toMatchObject({ name: "executor", nodes: [{ id: "search" }], mermaid: "graph TD;" });
    expect(await read("/limits")).toMatchObject({
      characters: { question: 8_000 },
      documents: {
        count: 20,
        types: expect.arrayContaining([{ name: "PDF", endings: ["pdf"], mediaTypes: ["application/pdf"], maxBytes: 20_000_000 }]),
      },
      limits: { modelCalls: 100, costUsd: null },
    });
    expect(await read("/sources")).toMatchObject({ sources: [{ id: "corpus", configured: true, lastTry: null }] });
  });

  it("answers 404 for an unknown graph", async () => {
    const graph = (name: string): never => {
      throw new DossierError("not_found", `There is no graph ${name}.`);
    };
    const { url } = await startApp({ operations: { ...quietOperations, graph } });
    const response = await fetch(`${url}/graphs/__proto__`);
    expect([response.status, await response.json()]).toMatchObject([404, { code: "not_found", detail: "There is no graph __proto__." }]);
  });

  it("answers 503 while it is not ready: with the reason if it is known", async () => {
    const failures: unknown[] = [new DossierError("unreachable", "The database does not answer."), new Error("password is hunter2")];
    const ready = () => Promise.reject(failures.shift());
    const { url } = await startApp({ operations: { ...quietOperations, ready } });
    const known = await fetch(`${url}/readyz`);
    expect(known.headers.get("retry-after")).toBe("5");
    expect([known.status, await known.json()]).toMatchObject([
      503,
      { status: 503, code: "unreachable", detail: "The database does not answer." },
    ]);
    const unknown = await (await fetch(`${url}/readyz`)).text();
    expect(JSON.parse(unknown)).toMatchObject({ status: 503, code: "internal" });
    expect(unknown).not.toContain("hunter2");
  });

  it("serves its documentation without external resources", async () => {
    const { url } = await startApp();
    const page = await fetch(`${url}/docs`);
    const html = await page.text();
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/^default-src 'none'; /);
    expect(policy).not.toMatch(/https?:|\*/);
    const own = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link]) => new URL(link ?? "", page.url));
    expect(own.length).toBeGreaterThan(0);
    for (const link of own) {
      expect(link.origin).toBe(url);
      expect((await fetch(link)).status).toBe(200);
    }
    expect(html).toContain("openapi.json");
  });

  it("explains every error code at the address of the problem's type", async () => {
    const { url } = await startApp();
    const { type } = (await (await fetch(`${url}/nothing`)).json()) as { type: string };
    expect(type).toBe("/docs/errors#not_found");
    const page = await fetch(new URL(type, url));
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(await page.text()).toContain('<tr id="not_found">');
  });

  it("logs each answer as one line without query or body, server errors at info", async () => {
    const { url, runs, logLines } = await startApp();
    runs.failNext("list", new Error("broken"));
    await fetch(`${url}/research/run-7?secret=1`);
    await fetch(`${url}/research?cursor=secret`);
    const answered = () => logLines.filter(({ msg }) => msg === "request answered");
    await expect.poll(() => answered().length).toBe(2);
    expect(answered()).toMatchObject([
      { level: 20, method: "GET", path: "/research/:id", status: 404, runId: "run-7", durationMs: expect.any(Number) },
      { level: 30, method: "GET", path: "/research", status: 500 },
    ]);
    expect(JSON.stringify(logLines)).not.toContain("secret");
  });
});

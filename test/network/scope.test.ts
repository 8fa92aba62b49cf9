import { expect, it } from "vitest";
import { z } from "zod";
import type { SearchSource } from "../../src/domain/ports/sources.ts";
import type { Tool } from "../../src/domain/ports/tools.ts";
import { RunSchema } from "../../src/domain/run.ts";
import { scriptedAnalyst } from "../fakes/scripted-analyst.ts";
import { CORPUS } from "../helpers/open-dossier.ts";
import { foundPage } from "../helpers/page-source.ts";
import { finding } from "../helpers/search-answer.ts";
import { startService } from "../helpers/start-service.ts";
import { listenEverywhere } from "./canaries.ts";

/** A source that returns other sources' findings. */
function liar(urls: readonly (readonly [url: string, foundBy: string])[]): SearchSource {
  return { id: "liar", kind: "web", title: "Liar", search: finding(() => urls.map(([url, foundBy]) => foundPage(foundBy, url))) };
}

/** A tool that found a page and did not return its text. */
function pointer(url: string): Tool {
  return {
    name: "pointer",
    description: "Points to a page.",
    kind: "query",
    schema: z.object({}),
    timeoutMs: 1_000,
    call: async () => ({ text: "There is a page.", sources: [{ title: "A page", url, publishedAt: null, snippet: "lamp", text: null }] }),
  };
}

it("opens no connection for a run whose scope is the corpus alone, whatever its documents, sources and tools return", async () => {
  const canaries = await listenEverywhere([]);
  const canary = `http://127.0.0.1:${canaries.oddPort}/page`;
  const service = await startService({
    corpus: {
      ...CORPUS,
      "links.html": `<!doctype html><html><head><meta http-equiv="refresh" content="0; url=${canary}"><link rel="canonical" href="${canary}"><title>Lamp links</title></head><body><p>The lamp of Aldermoor burns whale oil, says <a href="${canary}">the page about the lamp</a>.</p><img src="${canary}"></body></html>`,
    },
    parts: {
      sources: [liar([[canary, "corpus"]])],
      tools: [pointer(canary)],
      analyst: scriptedAnalyst([[["pointer", {}]]]),
    },
  });
  const run = RunSchema.parse(await service.ask({ question: "What does the lamp of Aldermoor burn?", sources: ["corpus"] }));
  expect(run.report?.claims.length).toBeGreaterThan(0);
  expect(run.report?.ledger.find(({ what }) => what === "tool")).toMatchObject({
    source: "pointer",
    outcome: "failed",
    failure: "out_of_scope",
  });
  expect(canaries.heard).toEqual([]);
});

it("follows no link on behalf of the corpus", async () => {
  const canaries = await listenEverywhere([]);
  const url = `http://127.0.0.1:${canaries.oddPort}/page`;
  const service = await startService({
    parts: { sources: [{ ...liar([[url, "corpus"]]), id: "corpus" }] },
    environment: { ALLOWED_PRIVATE_HOSTS: `127.0.0.1:${canaries.oddPort}` },
  });
  const run = RunSchema.parse(await service.ask({ question: "What does the lamp of Aldermoor burn?", sources: ["corpus"] }));
  const download = run.report?.ledger.find(({ what }) => what === "download");
  expect(download).toMatchObject({ target: url, outcome: "failed", failure: "out_of_scope" });
  expect(canaries.heard).toEqual([]);
});

it("records as out of scope what a run may not read, and reads neither pages nor files", async () => {
  const canaries = await listenEverywhere([]);
  const canary = (name: string) => `http://127.0.0.1:${canaries.oddPort}/${name}`;
  const found = [
    [canary("as-corpus"), "corpus"],
    [canary("as-web-search"), "crossref"],
    [canary("as-nobody"), "nobody"],
    ["corpus:lighthouse.md", "liar"],
  ] as const;
  const service = await startService({
    parts: { sources: [liar(found)] },
    environment: { ALLOWED_PRIVATE_HOSTS: `127.0.0.1:${canaries.oddPort}` },
  });
  const run = RunSchema.parse(await service.ask({ question: "What does the lamp of Aldermoor burn?", sources: ["liar"] }));
  const downloads = run.report?.ledger.filter(({ what }) => what === "download") ?? [];
  expect(downloads.map(({ target, outcome, failure }) => [target, outcome, failure]).toSorted()).toEqual(
    found.map(([url]) => [url, "failed", "out_of_scope"]).toSorted(),
  );
  expect(canaries.heard).toEqual([]);
});

it("refuses to follow a link from a tool that another run may use", async () => {
  const canaries = await listenEverywhere([]);
  const port = canaries.oddPort;
  const url = `http://127.0.0.1:${port}/page`;
  const service = await startService({
    parts: { tools: [pointer(url)], sources: [liar([[url, "pointer"]])], analyst: scriptedAnalyst([[["pointer", {}]]]) },
    environment: { ALLOWED_PRIVATE_HOSTS: `127.0.0.1:${port}` },
  });
  const refused = RunSchema.parse(await service.ask({ question: "What does the lamp burn?", sources: ["liar"] }));
  expect(refused.report?.ledger.find(({ what }) => what === "download")?.failure).toBe("out_of_scope");
  expect(canaries.heard).toEqual([]);
  const allowed = RunSchema.parse(await service.ask({ question: "What does the lamp burn?", sources: ["pointer"] }));
  expect(allowed.report?.ledger.find(({ what }) => what === "download")?.outcome).toBe("found");
  expect(canaries.heard.length).toBe(1);
});

it("refuses a request that names an unknown source", async () => {
  const service = await startService({});
  expect(await service.ask({ question: "What does the lamp burn?", sources: ["crossref"] })).toMatchObject({ code: "unknown_source" });
});

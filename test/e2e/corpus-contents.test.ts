import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { buildApp } from "../../src/http/build-app.ts";
import { openDossier } from "../helpers/open-dossier.ts";
import { startService } from "../helpers/start-service.ts";

const QUESTION = "Who built the lighthouse of Aldermoor?";

it("GET /corpus tells titles, languages, dates and counts, in pages", async () => {
  const corpus = {
    "a.md": "---\ndate: 2024-03-01\n---\n# The lighthouse\n\nThe lighthouse of Aldermoor was built by Ada Penrose in the year 1874.\n",
    "zh/灯塔.md": "---\ndate: 2025-06-30\n---\n# 灯塔\n\n奥尔德穆尔灯塔建于1874年。\n",
    "broken.pdf": "%PDF-1.4\n",
    "c.txt": "The harbour of Aldermoor freezes over in the month of January and it is closed then.\n",
  };
  const service = await startService({ corpus });
  await service.prepare(new AbortController().signal);
  const read = async (query: string) => (await (await fetch(`${service.url}/corpus${query}`)).json()) as Record<string, unknown>;
  const whole = await read("");
  expect(whole).toEqual({
    documents: [
      { path: "a.md", title: "The lighthouse", language: "en", publishedAt: "2024-03-01" },
      { path: "c.txt", title: "c.txt", language: "en", publishedAt: null },
      { path: "zh/灯塔.md", title: "灯塔", language: "zh", publishedAt: "2025-06-30" },
    ],
    nextCursor: null,
    total: 3,
    failed: 1,
    languages: [
      { language: "en", documents: 2 },
      { language: "zh", documents: 1 },
    ],
    from: "2024-03-01",
    to: "2025-06-30",
  });
  const first = await read("?limit=2");
  expect(first["nextCursor"]).toBe("c.txt");
  const second = await read(`?limit=2&cursor=${encodeURIComponent(String(first["nextCursor"]))}`);
  expect([...(first["documents"] as unknown[]), ...(second["documents"] as unknown[])]).toEqual(whole["documents"]);
  expect((await fetch(`${service.url}/corpus?limit=501`)).status).toBe(400);
});

it("starts although the index of the corpus cannot be opened, says so, and opens it when it can", async () => {
  const first = await openDossier();
  await first.finish((await first.start({ question: QUESTION })).id);
  await first.close(0);
  const data = join(first.dir, "data");
  const index = join(data, (await readdir(data)).find((name) => /^corpus-\w+\.sqlite$/.test(name)) ?? "none");
  for (const suffix of ["", "-wal", "-shm"]) await rm(index + suffix, { force: true });
  await mkdir(join(index, "taken"), { recursive: true });
  const dossier = await openDossier({ dir: first.dir });
  const app = await buildApp(dossier);
  onTestFinished(() => app.close());
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  const corpus = async () => (await fetch(`${url}/corpus`)).json();
  expect(await corpus()).toMatchObject({ status: 502, code: "unreachable", detail: expect.stringContaining(index) });
  const run = await dossier.finish((await dossier.start({ question: QUESTION })).id);
  expect(run.report?.ledger).toContainEqual(expect.objectContaining({ source: "corpus", outcome: "failed", failure: "unreachable" }));
  await rm(index, { recursive: true });
  expect((await dossier.finish((await dossier.start({ question: QUESTION })).id)).termination?.reason).toBe("completed");
  expect(await corpus()).toMatchObject({ total: 3 });
});

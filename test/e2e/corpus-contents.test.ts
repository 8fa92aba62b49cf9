import { expect, it } from "vitest";
import { startService } from "../helpers/start-service.ts";

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

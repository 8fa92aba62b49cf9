import { expect, it } from "vitest";
import type { Run } from "../../src/domain/run.ts";
import { startService } from "../helpers/start-service.ts";
import { openPage, sharedBrowser } from "./browser.ts";
import { dropFile } from "./drop-file.ts";
import { seriousFaults } from "./in-page.ts";
import { madeRecording } from "./made-recording.ts";
import { QUESTION } from "./page-service.ts";

const browser = sharedBrowser();

it("says at an address that leads nowhere what is not there", async () => {
  const { url, ask } = await startService({});
  const { id, report } = (await ask({ question: QUESTION })) as Run;
  const { page } = await openPage(browser(), `${url}/nosuch`, { expected: /40[04]/ });
  const run = `/runs/${id}`;
  const hash = report?.citations[0]?.contentHash;
  const cases = [
    ["/nosuch", "heading", "There is no such page"],
    ["/runs/%E0%A4%A", "heading", "There is no run at this address. It may have been deleted."],
    ["/runs/nope", "heading", "There is no run at this address. It may have been deleted."],
    [`${run}#s99999`, "status", "The run has no step s99999."],
    [`${run}#claim-999`, "status", "The report has no sentence 999."],
    [`${run}#part-99`, "status", "The report has no part 99."],
    [`${run}/documents/${hash}?start=abc&end=-5`, "complementary", "The document has no such place. It is shown from its beginning."],
    ["/?from=nope", "alert", "The run to ask again could not be read, so the form is empty"],
  ] as const;
  for (const [path, role, text] of cases) {
    // A page of another address, so that going only to another hash loads it again.
    await page.goto(`${url}/system`);
    await page.goto(`${url}${path}`);
    await page
      .getByRole(role)
      .getByText(text)
      .or(page.getByRole(role, { name: text }))
      .first()
      .waitFor();
    if (role === "heading") expect(await page.title()).toBe(`${text} – Dossier`);
  }
});

it("describes the API in a page that asks no other host", async () => {
  const { url } = await startService({});
  const { page } = await openPage(browser(), `${url}/docs`, { expected: /Skipped 1 SSE example/ });
  await page.getByText("Read the report of a run").first().click();
  await page.getByText("/research/{id}/report").first().waitFor();
  // Two parts of Scalar have faults of their own.
  const faults = await seriousFaults(page);
  expect(faults.filter((fault) => !/sidebar-search-placeholder|response-variant/.test(fault))).toEqual([]);
});

it("says in Chinese why a step failed, with the words of the server folded", async () => {
  const { url } = await startService({});
  const { page } = await openPage(browser(), `${url}/replay`, { locale: "zh-CN" });
  const events = [
    { type: "run-queued" },
    { type: "run-started", attempt: 1 },
    { type: "node-started", node: "search", step: 1 },
    { type: "source-failed", source: "corpus", query: "灯塔", failure: "timeout", message: "corpus gave no answer in 20 s." },
    { type: "document-failed", sourceId: "s", url: "https://a.example/x", failure: "blocked", message: "HTTP 403", fallback: "none" },
  ];
  await dropFile(page, ".replay-place", "r.ndjson", madeRecording(events));
  await page.getByRole("slider").fill("5");
  await page.locator(".step > summary").last().click();
  await page.getByText("没有及时答复。").waitFor();
  await page.getByText("拒绝访问。").waitFor();
  expect(await page.locator("main").innerText()).not.toMatch(/gave no answer|HTTP 403|timeout|blocked/);
  await page.getByText("服务器的原话").first().click();
  await page.getByText("corpus gave no answer in 20 s.").waitFor();
});

import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import type { RunEvent } from "../../src/domain/events.ts";
import type { Report } from "../../src/domain/report.ts";
import { openPage, sharedBrowser } from "../browser/browser.ts";
import { goWithin, painted } from "../browser/in-page.ts";
import { componentEvents, madeRecording } from "../browser/made-recording.ts";
import { longestTask } from "../browser/task-times.ts";
import { startService } from "../helpers/start-service.ts";
import { startApp } from "../http/app-under-test.ts";
import { sampleRun } from "../reports/sample-run.ts";

const browser = sharedBrowser();
const PLACE = ".replay-place";

it("keeps every task below 100 ms with 200 citations and a document of 4 million characters", async () => {
  const { runs, url } = await startApp();
  const run = sampleRun();
  const { id } = runs.add({ ...run, report: null });
  const line = "The harbour of Aldermoor freezes over in January. 奥尔德穆尔的港口一月结冰。\n";
  const text = line.repeat(Math.ceil(4_000_000 / line.length));
  const contentHash = runs.keep(id, text);
  const quote = line.slice(0, 49);
  const report = longReport(200, contentHash, (index) => ({ start: index * 200 * line.length, quote }));
  runs.end(id, { report });
  const { page } = await openPage(browser(), url);
  await page.getByRole("textbox").first().waitFor();
  const longest = await longestTask(browser(), page, () => readThrough(page, `/runs/${id}`));
  console.log(`longest task with 200 citations and a long document: ${longest} ms`);
  expect(longest).toBeLessThan(100);
});

async function readThrough(page: Page, path: string): Promise<void> {
  await goWithin(page, path);
  await page.locator(".read-text .read-cite").nth(199).waitFor();
  for (let screens = 0; screens < 12; screens += 1) {
    await page.mouse.wheel(0, 900);
    await painted(page);
  }
  await page.locator(".read-text .read-cite").nth(150).click();
  await page.locator(".document-text mark").waitFor();
  await page.locator(".document-text").hover();
  for (let screens = 0; screens < 40; screens += 1) {
    await page.mouse.wheel(0, screens < 20 ? 1_500 : -2_500);
    await painted(page);
  }
  await page.getByRole("button", { name: "End" }).click();
  await painted(page);
  expect(await page.locator(".document-text [data-piece]").count()).toBeLessThanOrEqual(32);
  await page.getByRole("button", { name: "To the quote" }).click();
  await page.locator(".document-text mark").waitFor();
}

it("scrubs through 5,000 events without a task over 100 ms", async () => {
  const { url } = await startService({});
  const { page } = await openPage(browser(), `${url}/replay`);
  const steps = Array.from({ length: 1_250 }, (_, index) => [
    { type: "node-started", node: "search", step: index + 1 },
    { type: "tool-started", tool: "search", arguments: { query: `问题 ${index}` }, callId: `t${index}` },
    { type: "content", node: "search", callId: `c${index}`, try: 1, delta: "灯塔 lighthouse ".repeat(20) },
    { type: "node-ended", node: "search", step: index + 1, durationMs: 5 },
  ]).flat();
  await page.locator(PLACE).waitFor();
  const longest = await longestTask(browser(), page, async () => {
    await chooseFile(page, madeRecording([{ type: "run-queued" }, { type: "run-started", attempt: 1 }, ...steps]));
    const slider = page.getByRole("slider");
    await slider.waitFor();
    for (let round = 0; round < 40; round += 1) {
      await slider.fill(String((round * 1_237) % 5_000));
      await painted(page);
    }
    await slider.fill("5002");
    await painted(page);
  });
  console.log(`scrubbing 5,000 events: the longest task ${longest} ms`);
  expect(longest).toBeLessThan(100);
});

it("reads a recording of tens of megabytes in slices", async () => {
  const { url } = await startService({});
  const { page } = await openPage(browser(), `${url}/replay`);
  const document = `${JSON.stringify({ type: "document", document: { text: "灯塔 ".repeat(100_000) } })}\n`;
  const [head = "", ...rest] = madeRecording(componentEvents([])).split("\n");
  const whole = `${head}\n${document.repeat(60)}${rest.slice(0, -2).join("\n")}\n${JSON.stringify({ type: "end", lines: 64 })}\n`;
  let bytes = 0;
  const longest = await longestTask(browser(), page, async () => {
    bytes = await chooseFile(page, whole);
    await page.getByRole("slider").waitFor();
  });
  expect(bytes).toBeGreaterThan(40_000_000);
  expect(await page.getByRole("slider").getAttribute("max")).toBe("3");
  console.log(`reading ${bytes / 1e6} MB: the longest task ${longest} ms`);
  expect(longest).toBeLessThan(100);
});

it("reads in and streams a run of 5,000 events without a task over 100 ms", async () => {
  const { url, runs } = await startApp();
  const { page } = await openPage(browser(), `${url}/favicon.svg`, { expected: /404/ });
  const { id } = runs.add({
    question: "A long run. 很长的研究。",
    graph: "executor",
    status: "running",
    startedAt: "2026-08-01T10:00:00.000Z",
  });
  runs.say(id, ...longRun(0, 4_000));
  const longest = await longestTask(browser(), page, async () => {
    await page.goto(`${url}/runs/${id}`);
    await page.getByText(/Show \d+ earlier steps/).waitFor();
    for (let at = 4_000; at < 5_000; at += 20) {
      runs.say(id, ...longRun(at, 20));
      if (at % 200 === 0) await page.mouse.wheel(0, 400);
      await painted(page);
    }
    await page.getByText("Read documents").last().waitFor();
    await painted(page);
  });
  console.log(`page: 5,000 events; the longest task ${longest} ms`);
  expect(longest).toBeLessThan(100);
});

/** Rounds of twenty events: a decision, tools with sources, documents, and the words of a model. */
function longRun(from: number, count: number): RunEvent[] {
  const NODES = ["llm_decision", "optional_tool", "download"] as const;
  const bodies = Array.from({ length: count }, (_, index) => {
    const number = from + index;
    const [step, place] = [Math.floor(number / 20) + 1, number % 20];
    const node = NODES[step % 3] ?? "download";
    const source = {
      id: `S${number}`,
      kind: "web",
      title: `Source ${number} 来源`,
      url: `https://example.org/${number}`,
      publishedAt: null,
      foundBy: "web",
      score: null,
      contentHash: null,
      status: "found",
      failure: null,
    };
    if (number === 0) return { type: "run-started", attempt: 1 };
    if (place <= 1 && number <= 1) return { type: "node-started", node, step };
    if (place === 0) return { type: "node-started", node, step };
    if (place === 19) return { type: "node-ended", node, step, durationMs: 12 };
    if (place < 8) return { type: "source-found", source };
    return { type: "content", node, callId: `c${step}`, try: 1, delta: "Some words of a model, 模型写的一些字。 ", draft: true };
  });
  return bodies as never;
}

/** Chooses a file on the disk, which the browser reads by itself. Returns its bytes. */
async function chooseFile(page: Page, content: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "dossier-recording-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "recording.ndjson");
  await writeFile(path, content);
  await page.locator("input[type=file]").setInputFiles(path);
  return (await stat(path)).size;
}

/** A report of this many citations, quoting one long document. */
function longReport(count: number, contentHash: string, textAt: (index: number) => { start: number; quote: string }): Report {
  const { report } = sampleRun();
  const citations = Array.from({ length: count }, (_, index) => {
    const { start, quote } = textAt(index);
    return { id: index + 1, sourceId: `S${(index % 12) + 1}`, contentHash, start, end: start + quote.length, quote };
  });
  const claims = citations.map(({ id, quote }) => ({
    ...report.claims[0]!,
    text: `${quote} (${id}).`,
    citations: [id],
    section: `Part ${Math.ceil(id / 20)}`,
  }));
  return { ...report, claims, citations };
}

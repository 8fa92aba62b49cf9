import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { plainTitle } from "../../web/src/ui/plain-title.ts";
import { startService } from "../helpers/start-service.ts";
import { startApp } from "../http/app-under-test.ts";
import { hostileRun } from "../reports/hostile-run.ts";
import { adversarialStrings, hasAdversarial } from "./adversarial.ts";
import { openPage, sharedBrowser } from "./browser.ts";
import { dropFile } from "./drop-file.ts";
import { HOSTILE, hostileEvents, hostileStep } from "./hostile-events.ts";
import { madeByTexts, openFolds } from "./in-page.ts";
import { madeRecording } from "./made-recording.ts";
import { askInPage, QUESTION, waitForState } from "./page-service.ts";

const browser = sharedBrowser();

/** Fails the test if a text of the page opens a dialog or leads the page away. */
function watch(page: Page, origin: string): string[] {
  const happened: string[] = [];
  page.on("dialog", (dialog) => {
    happened.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("framenavigated", (frame) => {
    if (frame !== page.mainFrame() || !frame.url().startsWith(origin)) happened.push(`navigated: ${frame.url()}`);
  });
  page.on("popup", (popup) => happened.push(`popup: ${popup.url()}`));
  return happened;
}

/** Elements that only a text can have made, outside of the charts and forms of the page itself. */
const MADE =
  "main :is(script, iframe, img, object, embed, video, audio, base, link, style, math, [onerror], [onload], [onclick], a[href^='javascript' i], a[href^='data' i])";

it("shows hostile strings as text everywhere in a run", async () => {
  const { url, runs } = await startApp();
  const { page } = await openPage(browser(), `${url}/favicon.svg`, { expected: /404/ });
  const happened = watch(page, url);
  for (const text of HOSTILE) {
    const { id } = runs.add({ question: text, graph: text, status: "running", startedAt: "2026-08-01T10:00:00.000Z" });
    runs.say(id, ...(hostileEvents(text) as never[]));
    await page.goto(`${url}/runs/${encodeURIComponent(id)}`);
    await page.locator(".pending-card").first().waitFor();
    await openFolds(page);
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toContain(plainTitle(text).slice(0, 10).trim());
    expect(await page.title()).not.toBe("1");
    expect(await page.locator(MADE).count()).toBe(0);
  }
  expect(happened).toEqual([]);
});

it("shows hostile questions in the list of runs, hostile recordings, and hostile names of files as text", async () => {
  const { url, runs } = await startApp();
  for (const text of HOSTILE) runs.add({ question: text, title: text, threadId: "t", graph: text });
  const { page } = await openPage(browser(), `${url}/history`);
  const happened = watch(page, url);
  // Of a long thread, the latest runs are shown at first.
  await page.getByRole("button", { name: /^Show \d+ more$/ }).click();
  await page
    .locator(".history-run")
    .nth(HOSTILE.length - 1)
    .waitFor();
  expect(await page.locator(".history-name").allInnerTexts()).toEqual(HOSTILE.map(plainTitle).toReversed());
  expect(await madeByTexts(page)).toEqual([]);
  await page.goto(`${url}/replay`);
  await page.locator(".replay-place").waitFor();
  for (const text of HOSTILE) {
    await dropFile(
      page,
      ".replay-place",
      text,
      madeRecording([...hostileEvents(text)], { question: text, graph: text, report: { markdown: text } }),
    );
    await page.getByRole("heading", { level: 2, name: plainTitle(text), exact: false }).waitFor();
    await page.getByRole("slider").focus();
    await page.keyboard.press("End");
    await page.getByText("It asked").first().waitFor();
    await openFolds(page);
    expect(await page.locator(MADE).count()).toBe(0);
    await page.getByRole("button", { name: "Another file" }).click();
  }
  expect(happened).toEqual([]);
});

it("asks files with hostile names of the real service, and shows the names as text", async () => {
  const { url } = await startService({});
  const { page } = await openPage(browser(), url);
  const happened = watch(page, url);
  const files = HOSTILE.slice(0, 5).map((name, index) => ({
    name: `${name}.txt`,
    mimeType: "text/plain",
    buffer: Buffer.from(`Ada Penrose built the lighthouse of Aldermoor in 1874 with ${index + 2} helpers. ${name}\n`),
  }));
  await page.getByLabel("Attach files").first().setInputFiles(files);
  await expect.poll(() => page.locator(".ask-attachments li").count()).toBe(files.length);
  expect(await page.locator(".ask-attachments").innerText()).toContain('<img src=x onerror="document.title=1">.txt');
  await askInPage(page, QUESTION);
  await waitForState(page, "Done");
  await openFolds(page);
  // The server keeps the part of a name after its last slash.
  expect(await page.locator(".read-sources").innerText()).toContain("script>.txt");
  expect(await page.locator(MADE).count()).toBe(0);
  await page.getByRole("link", { name: "Run again" }).click();
  await page.getByRole("list", { name: "Documents of the thread" }).waitFor();
  expect(await page.locator(MADE).count()).toBe(0);
  expect(happened).toEqual([]);
});

const AT_ONCE = 40;

it.skipIf(!hasAdversarial)("shows public collections of hostile strings as text: steps, components, questions and reports", async () => {
  const { url, runs } = await startApp();
  // The service refuses to list runs of a graph whose name is longer than 100 characters (400).
  const { page } = await openPage(browser(), `${url}/favicon.svg`, { expected: /40[04]/ });
  const happened = watch(page, url);
  const strings = adversarialStrings();
  console.log(`hostile strings: ${strings.length}`);
  expect(strings.length).toBeGreaterThan(1_000);
  for (let from = 0; from < strings.length; from += AT_ONCE) {
    const some = strings.slice(from, from + AT_ONCE);
    const question = some.join("\n").slice(0, 7_000);
    const watched = runs.add({ question, graph: some[0] ?? "", status: "running", startedAt: "2026-08-01T10:00:00.000Z" });
    const steps = some.flatMap((text, index) => hostileStep(text, index + 1));
    runs.say(watched.id, ...([{ type: "run-started", attempt: 1 }, ...steps] as never[]));
    await page.goto(`${url}/runs/${watched.id}`);
    await page.locator(".step").nth(5).waitFor();
    const earlier = page.getByRole("button", { name: /Show \d+ earlier steps/ });
    if ((await earlier.count()) > 0) await earlier.click();
    await openFolds(page);
    expect(await page.locator(MADE).count(), some.join("\n")).toBe(0);
    const read = runs.add({ ...hostileRun(some), question });
    runs.end(read.id);
    await page.goto(`${url}/runs/${read.id}`);
    await page.locator(".read-sources").waitFor();
    await openFolds(page);
    expect(await page.locator(MADE).count(), some.join("\n")).toBe(0);
  }
  expect(happened).toEqual([]);
});

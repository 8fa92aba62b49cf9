import type { Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import * as say from "../fakes/model-server/behaviors.ts";
import { startService } from "../helpers/start-service.ts";
import { startApp } from "../http/app-under-test.ts";
import { sampleRun } from "../reports/sample-run.ts";
import { openPage, sharedBrowser } from "./browser.ts";
import { dropFile } from "./drop-file.ts";
import { FITS, painted, seriousFaults } from "./in-page.ts";
import { askInPage, gated, QUESTION, startModelService, waitForState } from "./page-service.ts";

const browser = sharedBrowser();

/** Counts the runs that the page starts. */
function countStarts(page: Page): () => number {
  let count = 0;
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/research")) count += 1;
  });
  return () => count;
}

it("has one step back from any number of quotes to the report, whose place stays, and one to the view before", async () => {
  const { url } = await startService({});
  const { page } = await openPage(browser(), url, { viewport: { width: 1280, height: 500 } });
  await askInPage(page, QUESTION);
  await waitForState(page, "Done");
  const run = page.url();
  const cites = page.locator(".read-text .read-cite");
  await cites.nth(1).waitFor();
  for (const at of [0, 1]) {
    await cites.nth(at).click();
    await page.locator(".document-text mark").first().waitFor();
  }
  await page.goBack();
  await page.locator(".document").waitFor({ state: "detached" });
  expect(page.url()).toBe(run);
  for (const at of [1, 0]) {
    await cites.nth(at).click();
    await page.locator(".document-text mark").first().waitFor();
  }
  await page.mouse.move(200, 300);
  await page.mouse.wheel(0, 200);
  await expect.poll(() => page.evaluate("scrollY")).toBe(200);
  await page.keyboard.press("Escape");
  await page.locator(".document").waitFor({ state: "detached" });
  await painted(page);
  expect([page.url(), await page.evaluate("scrollY")]).toEqual([run, 200]);
  await page.goBack();
  await page.getByRole("heading", { name: "What do you want to know?" }).waitFor();
});

it("closes a document whose address was opened directly, without leaving the page", async () => {
  const { url } = await startService({});
  const { page } = await openPage(browser(), url);
  await askInPage(page, QUESTION);
  await waitForState(page, "Done");
  const href = await page.locator(".read-text .read-cite").first().getAttribute("href");
  await page.goto(new URL(href ?? "", url).href);
  await page.locator(".document-text mark").first().waitFor();
  await page.getByRole("button", { name: "Close the document" }).click();
  await page.locator(".document").waitFor({ state: "detached" });
  expect(new URL(page.url()).pathname).toMatch(/^\/runs\/[^/]+$/);
});

it("skips to the beginning of a long report, and frames nothing that merely got the focus", async () => {
  const { url, runs } = await startApp();
  const { id } = runs.add(sampleRun());
  runs.end(id);
  const { page } = await openPage(browser(), `${url}/runs/${id}`, { viewport: { width: 390, height: 600 } });
  await page.locator(".read-cite").first().waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await painted(page);
  expect(await page.evaluate("[location.hash, document.activeElement.id]")).toEqual(["#main", "main"]);
  expect(await page.evaluate("scrollY")).toBeLessThan(120);
  expect(await page.evaluate("getComputedStyle(document.querySelector('main')).outlineStyle")).toBe("none");
});

it("sends nothing with the Enter that ends a composition, and one question for two Enters", async () => {
  const { url } = await startService({});
  const { page } = await openPage(browser(), url);
  const starts = countStarts(page);
  await page.getByRole("textbox", { name: "Your question" }).fill("灯塔是谁建的？");
  // As Safari sends it: after the end of the composition, with the code 229.
  await page.evaluate(`document.querySelector("textarea[name=question]").dispatchEvent(
    new KeyboardEvent("keydown", { key: "Enter", keyCode: 229, bubbles: true, cancelable: true }))`);
  await painted(page);
  expect(starts()).toBe(0);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/runs\//);
  await waitForState(page, "Done");
  await page.getByRole("textbox", { name: "Your follow-up question" }).fill("And the harbour?");
  const before = await page.evaluate<number>("history.length");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "And the harbour?" }).waitFor();
  await waitForState(page, "Done");
  expect([starts(), await page.evaluate("history.length")]).toEqual([2, before + 1]);
});

it("shows a right-to-left question from the right, and says in the history that there was no answer", async () => {
  const { url } = await startService({});
  const { page } = await openPage(browser(), `${url}/favicon.svg`);
  // A clock that is wrong does not move the runs to another day.
  await page.clock.install({ time: "2040-01-01T00:00:00Z" });
  await page.goto(url);
  await askInPage(page, "من بنى المنارة؟ (1999)");
  await waitForState(page, "Done");
  expect(await page.evaluate("getComputedStyle(document.querySelector('h1')).direction")).toBe("rtl");
  await page.goto(`${url}/history`);
  await page.getByRole("heading", { level: 2, name: "Today" }).waitFor();
  const row = page.locator(".history-run");
  expect(await row.innerText()).toContain("No answer");
  expect(await row.innerText()).not.toContain("0 sentences");
});

it("takes a file that is dropped beside the field, and keeps the page where nothing takes it", async () => {
  const { url } = await startService({});
  const { page } = await openPage(browser(), url);
  await page.getByText("No model is connected").waitFor();
  await dropFile(page, ".header", "灯塔.md", "# 灯塔");
  await page.getByRole("listitem").filter({ hasText: "灯塔.md" }).waitFor();
  await page.goto(`${url}/system`);
  await page.locator(".system-cards").waitFor();
  const isKept = `(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(["x"], "x.pdf"));
    const event = (type) => new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
    return ["dragover", "drop"].map((type) => !document.body.dispatchEvent(event(type)));
  })()`;
  expect(await page.evaluate(isKept)).toEqual([true, true]);
});

it("shows in the history what becomes of a run at work", async () => {
  const gate = gated([say.repeat(say.text("没有。"))]);
  onTestFinished(gate.open);
  const service = await startModelService(gate.script);
  await service.start({ question: QUESTION, graph: "agent" });
  const { page } = await openPage(browser(), `${service.url}/history`);
  await page.locator(".history-run").getByText("Working").waitFor();
  gate.open();
  await page.locator(".history-run").getByText("Done").waitFor();
});

it.each([
  ["next", 9, 10],
  ["one before", 19, 18],
])("goes from an answered question of twenty to the %s", async (_, at, next) => {
  const { url, runs } = await startApp();
  const waiting = Array.from({ length: 20 }, (_, at) => ({
    ...{ id: `p${at}`, kind: "question" as const, path: "", prompt: `Which stone? 哪一块石头？ ${at}` },
    ...{ plan: null, call: null, askedAt: "2026-08-01T10:00:00.000Z" },
  }));
  const { id } = runs.add({ question: QUESTION, status: "waiting", startedAt: "2026-08-01T10:00:00.000Z", pending: waiting as never });
  runs.say(id, { type: "run-started", attempt: 1 } as never, { type: "run-waiting", pending: waiting } as never);
  const { page } = await openPage(browser(), `${url}/runs/${id}`, { viewport: { width: 390, height: 844 } });
  await page.getByRole("heading", { name: "20 answers are needed" }).waitFor();
  expect(await seriousFaults(page)).toEqual([]);
  const field = page.getByRole("textbox", { name: `Your answer Which stone? 哪一块石头？ ${at}`, exact: true });
  await field.fill("花岗岩");
  await field.press("Enter");
  await field.waitFor({ state: "detached" });
  await expect
    .poll(() => page.evaluate("document.activeElement.closest('.pending-card')?.querySelector('h3').textContent"))
    .toBe(`Which stone? 哪一块石头？ ${next}`);
});

it.each([
  ["en-US", 390],
  ["zh-CN", 390],
  ["en-US", 320],
  ["zh-CN", 320],
])("has one row of navigation and choices in %s at %i pixels", async (locale, width) => {
  const { url } = await startApp();
  const { page } = await openPage(browser(), url, { locale, viewport: { width, height: 700 } });
  const header = await page.locator(".header").boundingBox();
  expect(header?.height).toBeLessThan(60);
  expect(await page.evaluate(FITS)).toBe(true);
  const [language, theme] = [page.locator(".header select").first(), page.locator(".header select").last()];
  await theme.selectOption("dark");
  expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
  await language.selectOption(locale === "zh-CN" ? "en" : "zh");
  await page.getByRole("link", { name: locale === "zh-CN" ? "History" : "历史" }).waitFor();
  expect(await seriousFaults(page)).toEqual([]);
});

it.each([
  ["en-US", "Not checked: shown as it was written."],
  ["zh-CN", "未核对，按原样显示。"],
])("says in %s below lines of code that they were not checked", async (locale, remark) => {
  const { url, runs } = await startApp();
  const run = sampleRun();
  const code = "const 灯塔 = <b>90</b>;\n  return 灯塔;";
  const blocks = [
    { kind: "paragraph" as const, sentences: [0] },
    { kind: "code" as const, text: code },
  ];
  const { id } = runs.add(run);
  runs.end(id, { report: { ...run.report, blocks } });
  const { page } = await openPage(browser(), `${url}/runs/${id}`, { locale });
  expect(await page.locator(".read-text > pre").textContent()).toBe(code);
  expect(await page.locator(".read-text > pre + p").innerText()).toBe(remark);
});

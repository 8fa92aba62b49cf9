import { expect, it, onTestFinished } from "vitest";
import * as say from "../fakes/model-server/behaviors.ts";
import { startService } from "../helpers/start-service.ts";
import { startApp } from "../http/app-under-test.ts";
import { sampleRun } from "../reports/sample-run.ts";
import { openPage, sharedBrowser } from "./browser.ts";
import { askInPage, gated, QUESTION, startModelService, waitForState } from "./page-service.ts";

const browser = sharedBrowser();
const CHINESE = "奥尔德穆尔灯塔是谁建的？";

it("offers to load a view again that could not be loaded offline, without losing the page", async () => {
  const { url } = await startService({});
  const { page } = await openPage(browser(), url, {
    locale: "zh-CN",
    expected: /ERR_INTERNET_DISCONNECTED|Unable to preload|dynamically imported/,
  });
  await page.getByRole("textbox", { name: "你的问题" }).waitFor();
  await page.context().setOffline(true);
  await page.getByRole("link", { name: "系统" }).click();
  await page.getByText("这个页面未能显示。").waitFor();
  await page.getByRole("button", { name: "重新加载" }).click();
  await page.getByText("服务器还没有响应。").waitFor();
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "重新加载" }).click();
  await page.getByRole("heading", { name: "MCP 服务器" }).waitFor();
  expect(await page.title()).toBe("系统 – Dossier");
});

it("asks no follow-up on a run that was deleted, and says so", async () => {
  const { url, ask } = await startService({});
  const { id } = (await ask({ question: CHINESE })) as { id: string };
  const { page } = await openPage(browser(), `${url}/runs/${id}`, { expected: /404/ });
  const field = page.getByRole("textbox", { name: "Your follow-up question" });
  await field.waitFor();
  await fetch(`${url}/research/${id}`, { method: "DELETE" });
  await field.fill("它有多高？");
  await page.keyboard.press("Enter");
  await page.getByText("This run was deleted, so a follow-up would not know of it.").waitFor();
  expect(await field.inputValue()).toBe("它有多高？");
  expect(((await (await fetch(`${url}/research`)).json()) as { runs: unknown[] }).runs).toEqual([]);
});

it("says that a sentence of an address is not there, and folds a long question", async () => {
  const { url, ask } = await startService({});
  const question = `${CHINESE} ${"请说明。".repeat(300)}`;
  const { id } = (await ask({ question })) as { id: string };
  const { page } = await openPage(browser(), `${url}/runs/${id}#claim-999`);
  await page.getByText("The report has no sentence 999.").waitFor();
  expect((await page.getByRole("heading", { level: 1 }).innerText()).length).toBeLessThan(410);
  await page.getByText("The whole question").click();
  await page.getByText(question).waitFor();
});

it("counts the time by the server's clock", async () => {
  const gate = gated([say.repeat(say.text("Nothing."))]);
  const { url } = await startModelService(gate.script);
  onTestFinished(gate.open);
  const { page } = await openPage(browser(), url);
  await page.clock.install({ time: "2040-01-01T00:00:00Z" });
  await page.reload();
  await askInPage(page, QUESTION);
  await page.getByText(/^\d+(?:\.\d+)? (?:ms|s) so far$/).waitFor();
});

it("tells of an excerpt that it is one, where its text is shown", async () => {
  const { url, runs } = await startApp();
  const run = sampleRun();
  const [citation] = run.report.citations;
  const sources = run.report.sources.map((source) =>
    source.id === citation?.sourceId ? { ...source, status: "snippet" as const } : source,
  );
  const { id } = runs.add({ ...run, report: { ...run.report, sources } });
  runs.end(id);
  const { page } = await openPage(browser(), `${url}/runs/${id}/documents/${citation?.contentHash}?start=0&end=4`, { expected: /404/ });
  await page.locator(".document").getByText("Excerpt: only what the search returned was read").waitFor();
  await page.locator(".read-sources").getByText("Only its search result").first().waitFor();
});

it("cancels a run from the history instead of offering to delete it while it works", async () => {
  const gate = gated([say.repeat(say.text("Nothing."))]);
  const { url } = await startModelService(gate.script);
  onTestFinished(gate.open);
  const { page } = await openPage(browser(), url);
  await askInPage(page, QUESTION);
  await waitForState(page, "Working");
  await page.getByRole("link", { name: "History" }).click();
  await page.getByRole("button", { name: `More for ${QUESTION}` }).click();
  expect(await page.getByRole("menuitem", { name: "Delete" }).count()).toBe(0);
  await page.getByRole("menuitem", { name: "Cancel the run" }).click();
  await page.locator(".history-run").getByText("Cancelled").waitFor();
});

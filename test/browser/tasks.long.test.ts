import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { Run } from "../../src/domain/run.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { WRITTEN_REPORTS, type WrittenReport } from "../fakes/written-reports.ts";
import { pdfOf } from "../helpers/made-files.ts";
import { startService } from "../helpers/start-service.ts";
import { askWritten } from "./ask-written.ts";
import { openPage, sharedBrowser } from "./browser.ts";
import { expectMark, openFolds, tabTo } from "./in-page.ts";
import { askInPage, QUESTION, researchRoles, startModelService, waitForState } from "./page-service.ts";

const browser = sharedBrowser();
const [ENGLISH] = WRITTEN_REPORTS as [WrittenReport, WrittenReport];

const requestOf = async (service: { readonly url: string }, page: Page): Promise<Record<string, unknown>> => {
  const run = (await (await fetch(`${service.url}/research/${page.url().split("/").pop()}`)).json()) as Run;
  return run.request ?? {};
};

it("streams a draft of the model, then shows the report once, and the draft only folded", async () => {
  const WORDS = "Ada Penrose built the lighthouse in 1874, as the record says. ";
  const [looked, grown] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const untilSeen: Readonly<Record<number, Promise<void>>> = { 20: looked.promise, 40: grown.promise };
  const { url } = await startModelService([
    say.repeat(say.text(WORDS.repeat(5), { pieceLength: 6, beforePiece: (piece) => untilSeen[piece] })),
  ]);
  const { page } = await openPage(browser(), url);
  await page.getByText("Options", { exact: true }).click();
  await page.getByRole("radio", { name: /^Agent/ }).check();
  await askInPage(page, QUESTION);
  const draft = page.getByRole("region", { name: "Draft, not checked yet" });
  await draft.getByText("Ada Penrose built the lighthouse").waitFor();
  const before = (await draft.innerText()).length;
  looked.resolve();
  await expect.poll(async () => (await draft.innerText()).length).toBeGreaterThan(before);
  grown.resolve();
  await waitForState(page, "Done");
  await page.getByRole("region", { name: "Report", exact: true }).waitFor();
  expect(await draft.count()).toBe(0);
  await page.locator(".run-details > summary").click();
  await page.getByRole("list", { name: "Steps" }).waitFor();
  for (const step of await page.locator(".run-details .steps details.step > summary").all()) await step.click();
  await page.locator(".step[open]").first().waitFor();
  // Outside of the closed folds of single calls, no step has the text of the report.
  expect(await page.locator(".run-details").innerText()).not.toContain("Ada Penrose built");
});

it("does a whole task with the keyboard only: ask, read a quote in its document, look at its support, ask on, find it again", async () => {
  const { url } = await startService({});
  const { page } = await openPage(browser(), url);
  await page.getByRole("textbox", { name: "Your question" }).waitFor();
  await page.keyboard.type(QUESTION);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/runs\//);
  await waitForState(page, "Done");
  await page.locator(".read-text .read-cite").first().waitFor();
  await tabTo(page, ".read-text .read-cite");
  await page.locator(".read-card").waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".document-text mark").waitFor();
  await tabTo(page, ".document-search input");
  await page.keyboard.type("LAMP");
  await page.locator(".document-found", { hasText: "lamp" }).waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".document-found").waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
  await page.locator(".document").waitFor({ state: "detached" });
  await tabTo(page, ".read-text .read-cite");
  await page.keyboard.press("Space");
  await page.locator(".read-card:focus").waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".read-cite:focus").waitFor();
  await tabTo(page, 'textarea[name="question"]');
  await page.keyboard.type("港墙用什么石料？");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "港墙用什么石料？" }).waitFor();
  await waitForState(page, "Done");
  await tabTo(page, '.header a[href="/history"]');
  await page.keyboard.press("Enter");
  await page.getByRole("searchbox").waitFor();
  await tabTo(page, "input[type=search]");
  await page.keyboard.type("港墙");
  await expect.poll(() => page.locator(".history-name").allInnerTexts()).toEqual(["港墙用什么石料？"]);
  await tabTo(page, ".history-name");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "港墙用什么石料？" }).waitFor();
});

it("filters the sources of a run with an attached file by words, kind and state", async () => {
  const { url } = await startService({});
  const { page } = await openPage(browser(), url);
  const lamp = { name: "lamp.pdf", mimeType: "application/pdf", buffer: pdfOf(["Ada Penrose built the lighthouse lamp in 1874."]) };
  await page.getByLabel("Attach files").first().setInputFiles(lamp);
  await page.getByRole("listitem").filter({ hasText: "lamp.pdf" }).waitFor();
  await askInPage(page, QUESTION);
  await waitForState(page, "Done");
  const rows = page.locator(".read-sources li");
  await rows.nth(1).waitFor();
  const all = await rows.count();
  await page.getByLabel("Kind").selectOption("upload");
  await expect.poll(() => rows.allInnerTexts()).toEqual([expect.stringContaining("lamp.pdf")]);
  await page.getByLabel("Kind").selectOption("all");
  await page.getByLabel("Filter by words").fill("harbour");
  await expect.poll(() => rows.count()).toBeLessThan(all);
  await page.getByLabel("Filter by words").fill("nothing like it");
  await page.getByText("No source matches.").waitFor();
  await page.getByLabel("Filter by words").fill("");
  await page.getByLabel("State").selectOption("cited");
  await expect.poll(() => rows.count()).toBeGreaterThan(0);
  for (const row of await rows.allInnerTexts()) expect(row).toMatch(/· Quoted\b/);
});

it("runs again with the file, the address, the day and the models of the run before", async () => {
  const service = await startModelService(researchRoles());
  const { page } = await openPage(browser(), service.url);
  const file = { name: "灯塔.md", mimeType: "text/markdown", buffer: Buffer.from("# 灯塔\n\n灯塔高九十米。\n") };
  await page.getByLabel("Attach files").first().setInputFiles(file);
  await page.getByText("Options", { exact: true }).click();
  await page.getByRole("radio", { name: /^Planned/ }).check();
  await page.getByRole("radio", { name: /^Deep/ }).check();
  await page.getByRole("checkbox", { name: "It may ask me one question first" }).uncheck();
  await page.getByLabel("Only published since").fill("2020-01-31");
  await page.getByRole("combobox", { name: "Model", exact: true }).fill("scripted-2");
  await page.getByText("Other models for single roles").click();
  await page.getByRole("combobox", { name: "planner" }).fill("scripted-3");
  await askInPage(page, `${QUESTION} 港墙呢？`);
  await waitForState(page, "Done");
  const wanted = { since: "2020-01-31", model: "scripted-2", models: { planner: "scripted-3" }, clarify: false, graph: "research" };
  expect(await requestOf(service, page)).toMatchObject(wanted);
  const before = (await (await fetch(`${service.url}/research/${page.url().split("/").pop()}`)).json()) as Run;
  await page.getByRole("link", { name: "Run again" }).click();
  await page.getByRole("list", { name: "Documents of the thread" }).getByText("灯塔.md").waitFor();
  await askInPage(page, "灯塔多高？");
  await waitForState(page, "Done");
  expect(await requestOf(service, page)).toMatchObject({ ...wanted, question: "灯塔多高？" });
  const again = (await (await fetch(`${service.url}/research/${page.url().split("/").pop()}`)).json()) as Run;
  expect(again.threadId).toBe(before.threadId);
});

it("asks a team of the user's own agents", async () => {
  const service = await startModelService([say.repeat(say.text("It was built in 1874. 建于1874年。"))]);
  const { page } = await openPage(browser(), service.url);
  await page.getByText("Options", { exact: true }).click();
  await page.getByRole("radio", { name: /^Team/ }).check();
  await page.getByRole("textbox", { name: "Task of agent-1" }).fill("Find out the year.");
  await page.getByRole("button", { name: "Add an agent" }).click();
  await page.getByRole("textbox", { name: "Task of agent-2" }).fill("找出建造者。");
  await page.getByRole("checkbox", { name: /^One after another/ }).check();
  await askInPage(page, QUESTION);
  await waitForState(page, "Done");
  const children = [
    { id: "agent-1", prompt: "Find out the year." },
    { id: "agent-2", prompt: "找出建造者。" },
  ];
  expect(await requestOf(service, page)).toMatchObject({ graph: "team", team: { pattern: "sequential", children } });
});

it("changes what the todos of a plan wait for", async () => {
  const service = await startModelService(researchRoles());
  const { id } = await service.start({ question: `${QUESTION} 港墙呢？`, graph: "research", planApproval: true });
  await service.finish(id);
  const { page } = await openPage(browser(), `${service.url}/runs/${id}`);
  const second = page.locator(".pending-todos li").nth(1);
  await second.getByText("after 1").click();
  await second.getByRole("checkbox", { name: /^1\. Who built/ }).uncheck();
  await second.getByText("at once").waitFor();
  const first = page.locator(".pending-todos li").first();
  await first.getByText("at once").click();
  await first.getByRole("checkbox", { name: /^2\. 港墙/ }).check();
  // Now the second one cannot wait for the first one.
  await second.getByText("All others wait for this one.").waitFor();
  await page.getByRole("button", { name: "Approve the changed plan" }).click();
  await waitForState(page, "Done");
  const { todos } = (await (await fetch(`${service.url}/research/${id}`)).json()) as Run;
  expect(todos).toContainEqual(expect.objectContaining({ id: "T1", dependsOn: ["二"] }));
});

it("shows at the end of a replay the report as it is read, with the documents of the file", async () => {
  const { run, url, service } = await askWritten(ENGLISH);
  const recording = await (await fetch(`${service.url}/research/${run.id}/recording`)).text();
  const quote = run.report.citations[0]?.quote ?? "";
  const { page } = await openPage(browser(), `${service.url}/replay?run=${run.id}&at=9999`);
  await page.locator("#claim-1 + .read-marks .read-cite").click();
  await expectMark(page, quote);
  expect(new URL(page.url()).searchParams.get("run")).toBe(run.id);
  await page.keyboard.press("Escape");
  await page.goto(`${service.url}/replay`);
  await page.locator("input[type=file]").setInputFiles({ name: "研究.ndjson", mimeType: "", buffer: Buffer.from(recording) });
  const slider = page.getByRole("slider");
  await slider.focus();
  await page.keyboard.press("End");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.locator("#claim-1 + .read-marks .read-cite").click();
  await expectMark(page, quote);
  await page.keyboard.press("Escape");
  await page.locator(".document").waitFor({ state: "detached" });
  expect(asked.filter((path) => !path.startsWith("/assets/"))).toEqual([]);
  expect(url).toContain(run.id);
});

it("works where the browser refuses to keep anything and has no random ids, as on http addresses of a network", async () => {
  const { url } = await startService({});
  const { page } = await openPage(browser(), `${url}/favicon.svg`);
  await page.addInitScript(`
    for (const name of ["localStorage", "sessionStorage"])
      Object.defineProperty(window, name, { get() { throw new DOMException("refused", "SecurityError"); } });
    delete Crypto.prototype.randomUUID;
  `);
  await page.goto(url);
  await page.getByRole("combobox", { name: "Language" }).selectOption("zh");
  await page.getByRole("combobox", { name: "外观" }).selectOption("dark");
  expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
  await page.getByRole("button", { name: "不再显示" }).click();
  await page.getByText("没有连接模型").waitFor({ state: "detached" });
  await page.getByRole("textbox", { name: "你的问题" }).fill("奥尔德穆尔灯塔是谁设计的？");
  await page.keyboard.press("Enter");
  await waitForState(page, "已完成");
  await openFolds(page);
});

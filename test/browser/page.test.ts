import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import * as say from "../fakes/model-server/behaviors.ts";
import { filesystem, makeFolder, writeServers } from "../helpers/mcp-servers.ts";
import { startService } from "../helpers/start-service.ts";
import { defineWaiting } from "../helpers/waiting-graph.ts";
import { openPage, sharedBrowser } from "./browser.ts";
import { askInPage, expectAccessible, gated, QUESTION, researchRoles, startModelService, waitForState } from "./page-service.ts";

const browser = sharedBrowser();

it("asks a question without a model, by keyboard, and shows every step and the report", async () => {
  const { url } = await startService({});
  const { page } = await openPage(browser(), url);
  await page.getByText("No model is connected").waitFor();
  await expectAccessible(page);
  await page.keyboard.type(QUESTION);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/runs\//);
  await waitForState(page, "Done");
  expect(await page.title()).toBe(`Done: ${QUESTION}`);
  await page.getByText("built in 1874 by Ada Penrose").first().waitFor();
  await page.locator(".run-details > summary").focus();
  await page.keyboard.press("Enter");
  const steps = page.getByRole("list", { name: "Steps" });
  await steps.getByText("Read documents").waitFor();
  expect(await steps.locator(".step-name").allInnerTexts()).toEqual([
    "Decided what is needed",
    "Searched the sources",
    "Sorted what was found",
    "Read documents",
    "Wrote the report",
  ]);
  await steps.getByText("Searched the sources").click();
  await steps.getByText("harbour.txt").first().waitFor();
  await expectAccessible(page);
});

it("approves a plan after a change of words, order and number, and shows the todos at work", async () => {
  const { url } = await startModelService(researchRoles());
  const { page } = await openPage(browser(), url);
  await page.getByText("Options", { exact: true }).click();
  await page.getByRole("radio", { name: /^Planned/ }).check();
  await page.getByRole("checkbox", { name: "Ask me before it works on a plan" }).check();
  await page.getByText(/model calls · .*at most 10 min/).waitFor();
  await askInPage(page, `${QUESTION} 港墙呢？`);
  await waitForState(page, "Waiting for you");
  await page.getByRole("textbox", { name: "Todo 2" }).fill("What is the harbour wall of Aldermoor made of?");
  await page.getByRole("button", { name: "Move todo 2 up" }).click();
  await page.getByRole("button", { name: "Add a todo" }).click();
  expect(await page.getByRole("button", { name: "Approve the changed plan" }).isDisabled()).toBe(true);
  await page.getByRole("textbox", { name: "Todo 3" }).fill("奥尔德穆尔灯塔是哪一年建成的？");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Approve the changed plan" }).click();
  await waitForState(page, "Done");
  await page.locator(".run-details > summary").click();
  const works = page.locator(".works li");
  await works.nth(2).waitFor();
  expect(await works.allInnerTexts()).toEqual([
    expect.stringMatching(/Done\s+What is the harbour wall/),
    expect.stringMatching(/Done\s+Who built/),
    expect.stringMatching(/Done\s+奥尔德穆尔灯塔/),
  ]);
  await page.locator(".step-speaker > summary", { hasText: "奥尔德穆尔灯塔" }).click();
});

it("answers two questions that wait at the same time, in any order", async () => {
  const service = await startService({ parts: { graphs: [(storage) => defineWaiting(storage.checkpoints)] } });
  const { id } = await service.start({ question: "大家在哪里？", graph: "waiting" });
  await service.finish(id);
  const { page } = await openPage(browser(), `${service.url}/runs/${id}`);
  await page.getByRole("heading", { name: "2 answers are needed" }).waitFor();
  const west = page.locator(".pending-card", { hasText: "Where is west?" });
  await west.getByRole("textbox").fill("over there");
  await west.getByRole("button", { name: "Send the answer" }).click();
  await page.getByRole("heading", { name: "Your answer is needed" }).waitFor();
  await page.getByRole("textbox", { name: "Your answer" }).fill("这里");
  await page.keyboard.press("Enter");
  for (const [question, answer] of [
    ["First?", "一"],
    ["Second?", "二"],
  ] as const) {
    await page.getByRole("heading", { name: question }).waitFor();
    await page.getByRole("textbox", { name: "Your answer" }).fill(answer);
    await page.keyboard.press("Enter");
  }
  await waitForState(page, "Done");
  expect((await service.runs.get("default", id)).report?.markdown).toContain('东: "这里"');
});

it("shows a tool's arguments before it changes something: one call is allowed, one refused", async () => {
  const { dir, remove } = makeFolder();
  onTestFinished(remove);
  const write = (name: string) => ({ name: "files__write_file", arguments: { path: join(dir, name), content: `${name} <b>！` } });
  const { url } = await startModelService(
    (_, index) => (index === 0 ? say.toolCalls([write("one.txt"), write("two.txt")]) : say.text("One file is written.")),
    { parts: { tools: [] }, environment: { MCP_SERVERS: writeServers(dir, { files: filesystem(dir) }), SOURCES: "corpus,mcp:files" } },
  );
  const { page } = await openPage(browser(), url);
  await page.getByText("Options", { exact: true }).click();
  await page.getByRole("radio", { name: /^Agent/ }).check();
  await askInPage(page, "Write two files.");
  await page.getByText("one.txt <b>！").waitFor();
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByText("two.txt <b>！").waitFor();
  await page.getByRole("button", { name: "Refuse", exact: true }).click();
  await page.getByRole("textbox", { name: /^Why not/ }).fill("一个够了");
  await page.getByRole("button", { name: "Refuse" }).click();
  await waitForState(page, "Done");
  expect(readFileSync(join(dir, "one.txt"), "utf8")).toBe("one.txt <b>！");
  expect(existsSync(join(dir, "two.txt"))).toBe(false);
});

it("goes on after a reload and in a second window, and cancels at once", async () => {
  const gate = gated([say.repeat(say.text("Nothing."))]);
  const { url } = await startModelService(gate.script);
  onTestFinished(gate.open);
  const { page } = await openPage(browser(), url);
  await askInPage(page, QUESTION);
  await page.getByText("Writing the report").first().waitFor();
  await page.reload();
  await page.getByText("Writing the report").first().waitFor();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByText("Searched the sources").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await waitForState(page, "Cancelled");
  await waitForState(other, "Cancelled");
  expect(await other.title()).toBe(`Cancelled: ${QUESTION}`);
});

it("shows the system with what to set, in the chosen language and appearance, after a reload too", async () => {
  const { url } = await startService({});
  // A service may have no route for its corpus.
  const { page } = await openPage(browser(), url);
  await page.getByRole("link", { name: "System" }).click();
  await page.getByText("Set TAVILY_API_KEY").waitFor();
  await expectAccessible(page);
  await page.getByRole("combobox", { name: "Language" }).selectOption("zh");
  await page.getByRole("combobox", { name: "外观" }).selectOption("dark");
  await page.reload();
  await page.getByText("没有连接模型，报告只逐字引用原文。").waitFor();
  expect(await page.evaluate("[document.documentElement.lang, document.documentElement.dataset.theme]")).toEqual(["zh-Hans", "dark"]);
  await expectAccessible(page);
});

import { expect, it } from "vitest";
import { WRITTEN_REPORTS, type WrittenReport } from "../fakes/written-reports.ts";
import { startService } from "../helpers/start-service.ts";
import { askWritten } from "./ask-written.ts";
import { openPage, sharedBrowser } from "./browser.ts";
import { researchRoles, startModelService } from "./page-service.ts";

const browser = sharedBrowser();
const [, CHINESE] = WRITTEN_REPORTS as [WrittenReport, WrittenReport];

it("names what a reader of the screen meets: asking", async () => {
  const { url } = await startService({});
  const { page } = await openPage(browser(), url, { locale: "zh-CN" });
  await page.getByText("没有连接模型").waitFor();
  expect(await page.locator("body").ariaSnapshot()).toMatch(
    /banner:[\s\S]*navigation "主导航":[\s\S]*combobox "语言"[\s\S]*main:[\s\S]*heading "想了解什么？" \[level=1\][\s\S]*textbox "你的问题"[\s\S]*button "提问"/,
  );
});

it("names what a reader of the screen meets: a plan that waits", async () => {
  const service = await startModelService(researchRoles());
  const { id } = await service.start({ question: "灯塔？", graph: "research", planApproval: true });
  await service.finish(id);
  const { page } = await openPage(browser(), `${service.url}/runs/${id}`, { locale: "zh-CN" });
  await page.locator(".pending-todos").waitFor();
  expect(await page.locator("main").ariaSnapshot()).toMatch(
    /heading "灯塔？" \[level=1\][\s\S]*region "需要你的答复":[\s\S]*textbox "任务 1"[\s\S]*button "下移任务 1"[\s\S]*button "批准计划"[\s\S]*button "拒绝"[\s\S]*group:\s+- heading "到目前为止的过程"/,
  );
});

it("names what a reader of the screen meets: a report with a document beside it", async () => {
  const { run, url } = await askWritten(CHINESE);
  const { page } = await openPage(browser(), url, { locale: "zh-CN" });
  await page.locator("#claim-1 + .read-marks .read-cite").click();
  await page.locator(".document-text mark").waitFor();
  const shown = await page.locator("main").ariaSnapshot();
  expect(shown).toMatch(/region "报告":[\s\S]*link "注释 1：北风\.txt"/);
  expect(shown).toMatch(/complementary "[^"]+":[\s\S]*button "关闭文档"[\s\S]*searchbox "在此文档中搜索"[\s\S]*region "[^"]+"/);
  expect(shown).toContain(run.report.citations[0]?.quote);
  await page.getByRole("button", { name: "关闭文档" }).click();
  await page.locator(".read-sources").waitFor();
  expect(await page.locator("main").ariaSnapshot()).toMatch(/textbox "接着问下一个问题"/);
});

it("names what a reader of the screen meets: history, comparison, replay and system", async () => {
  const { url, ask } = await startService({});
  const one = (await ask({ question: "Who built the lighthouse of Aldermoor?" })) as { id: string };
  const two = (await ask({ question: "奥尔德穆尔灯塔是谁设计的？" })) as { id: string };
  const { page } = await openPage(browser(), `${url}/history`);
  await page.locator(".history-run").nth(1).waitFor();
  expect(await page.locator("main").ariaSnapshot()).toMatch(
    /heading "History" \[level=1\][\s\S]*searchbox "Search in questions and names"[\s\S]*checkbox "Compare [^"]+"[\s\S]*button "More for [^"]+"/,
  );
  await page.goto(`${url}/compare?left=${one.id}&right=${two.id}`);
  await page.locator(".compare-figures").waitFor();
  expect(await page.locator("main").ariaSnapshot()).toMatch(
    /heading "[^"]+" \[level=1\][\s\S]*region "In both"[\s\S]*region "Only left"[\s\S]*table/,
  );
  await page.goto(`${url}/replay?run=${one.id}`);
  await page.getByRole("slider", { name: "Moment" }).waitFor();
  expect(await page.locator("main").ariaSnapshot()).toMatch(/slider "Moment"[\s\S]*button "Play"[\s\S]*combobox "Speed"/);
  await page.goto(`${url}/system`);
  await page.locator(".system-cards").waitFor();
  expect(await page.locator("main").ariaSnapshot()).toMatch(
    /heading "System" \[level=1\][\s\S]*heading "Models" \[level=2\][\s\S]*heading "Sources" \[level=2\][\s\S]*list/,
  );
});

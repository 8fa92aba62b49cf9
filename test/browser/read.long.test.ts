import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import type { Run } from "../../src/domain/run.ts";
import { WRITTEN_REPORTS, type WrittenReport } from "../fakes/written-reports.ts";
import { startApp } from "../http/app-under-test.ts";
import { HOSTILE, hostileRun } from "../reports/hostile-run.ts";
import { sampleRun } from "../reports/sample-run.ts";
import { askWritten } from "./ask-written.ts";
import { openPage, sharedBrowser } from "./browser.ts";
import { copied, expectMark, FITS, madeByTexts, seriousFaults } from "./in-page.ts";

const browser = sharedBrowser();
const [ENGLISH, CHINESE] = WRITTEN_REPORTS as [WrittenReport, WrittenReport];

it("downloads the report in every format, its bundle and its recording", async () => {
  const { run, url } = await askWritten(CHINESE);
  const { page } = await openPage(browser(), url);
  const beginnings = {
    PDF: ["pdf", "%PDF-"],
    Word: ["docx", "PK"],
    "Web page": ["html", "<!DOCTYPE html>"],
    Markdown: ["md", `# ${CHINESE.question}`],
    BibTeX: ["bib", "%"],
    JSON: ["json", "{"],
    "Evidence bundle": ["bundle.json", "{"],
    Recording: ["ndjson", "{"],
  } as const;
  for (const [name, [extension, beginning]] of Object.entries(beginnings)) {
    await page.getByRole("button", { name: "Download" }).click();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name, exact: true }).click()]);
    expect(download.suggestedFilename()).toMatch(new RegExp(`\\.${extension.replace(".", "\\.")}$`));
    const content = await readFile(await download.path());
    expect(content.toString("utf8").startsWith(beginning), `${name}: ${content.subarray(0, 40)}`).toBe(true);
    if (name === "JSON") expect(JSON.parse(content.toString("utf8"))).toEqual(run.report);
  }
});

it("prints the question, the report, its notes and sources, and nothing of the program", async () => {
  const { run, url } = await askWritten(ENGLISH);
  const { page } = await openPage(browser(), `${url}/documents/${"0".repeat(64)}`, { expected: /404/ });
  await page.locator(".document .notice").waitFor();
  await page.emulateMedia({ media: "print" });
  const shown = await page.locator("body").innerText();
  for (const words of [ENGLISH.question, "Revenue of 2024", "Missing", "Notes", "Sources"]) expect(shown).toContain(words);
  for (const { quote } of run.report.citations) expect(shown).toContain(quote);
  expect(shown).toMatch(/Calculation \$27\.2 billion \[\d\] − \$24\.1 billion \[\d\]/);
  expect(shown).toContain(`Done · `);
  expect(shown).toContain(url);
  for (const words of ["Download", "follow-up", "History", "Search log", "Show text", "Filter"]) expect(shown).not.toContain(words);
  expect((await page.pdf({ format: "A4" })).subarray(0, 5).toString()).toBe("%PDF-");
});

it("copies the report with its citations, the link of a sentence and that of a place", async () => {
  const { url } = await askWritten(CHINESE);
  const { page } = await openPage(browser(), url, { permissions: ["clipboard-read", "clipboard-write"] });
  await page.getByRole("button", { name: "Copy with notes" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  const markdown = await copied(page, "text/plain");
  expect(markdown).toContain("北风公司2024财年的收入为272亿元。[^1]");
  expect(markdown).toContain("[^2]: “2024财年的收入为272亿元”");
  const html = await copied(page, "text/html");
  // It says what the text says, without parts of a page.
  expect(html).not.toMatch(/<button|<script|class=|href="#/);
  const shown = html.replaceAll(/<[^>]*>/g, "");
  for (const words of [CHINESE.question, "2024财年的收入为272亿元", "来源", "[1]", "[2]", "数据仅见于一个来源"])
    expect(shown).toContain(words);
  for (const [calculation] of markdown.matchAll(/计算(?:（[^）]*）)?：[^\n.]+/g)) expect(shown).toContain(calculation);
  expect([markdown, html].every((form) => form.includes("计算") && form.includes("数据仅见于一个来源"))).toBe(true);
  await page.locator("#claim-2 + .read-marks .read-cite").first().focus();
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Copy link to this sentence" }).click();
  await page.getByRole("button", { name: "Copied" }).first().waitFor();
  expect(await copied(page, "text/plain")).toBe(`${url}#claim-2`);
  await page.goto(`${url}#claim-2`);
  await page.locator("#claim-2.read-target").waitFor();
});

it("filters the sources by words, kind and state", async () => {
  const { runs, url } = await startApp();
  const run = sampleRun();
  const sources = run.report.sources.map((source, index) =>
    index === 1 ? { ...source, id: "S99", status: "failed" as const, failure: "paywalled" as const } : source,
  );
  const { id } = runs.add({ ...run, report: { ...run.report, sources } });
  runs.end(id);
  const { page } = await openPage(browser(), `${url}/runs/${id}`);
  const rows = page.locator(".read-sources li");
  await rows.first().waitFor();
  expect(await rows.count()).toBe(12);
  await page.getByLabel("State").selectOption("failed");
  expect(await rows.allInnerTexts()).toEqual([expect.stringContaining("It is behind a paywall.")]);
  await page.getByLabel("State").selectOption("all");
  await page.getByLabel("Kind").selectOption("corpus");
  expect(await rows.count()).toBe(3);
  await page.getByLabel("Filter by words").fill("年度报告 8");
  await expect.poll(() => rows.count()).toBe(1);
  await page.getByLabel("Filter by words").fill("nothing like it");
  await page.getByText("No source matches.").waitFor();
});

it("asks on in the thread, and shows what was asked before", async () => {
  const { url, service } = await askWritten(ENGLISH);
  const { page } = await openPage(browser(), url);
  await page.getByRole("textbox", { name: "Your follow-up question" }).fill("And in Norway?");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "And in Norway?" }).waitFor();
  const earlier = page.getByRole("navigation", { name: "Earlier in this thread" });
  await earlier.getByRole("link", { name: ENGLISH.question }).click();
  await page.getByRole("heading", { name: ENGLISH.question }).waitFor();
  await page.getByRole("navigation", { name: "Later in this thread" }).getByRole("link", { name: "And in Norway?" }).waitFor();
  const { runs } = (await (await fetch(`${service.url}/research`)).json()) as { runs: Run[] };
  expect(new Set(runs.map(({ threadId }) => threadId)).size).toBe(1);
});

it("shows the document over the report on a telephone, and the quote at a tap", async () => {
  const { run, url } = await askWritten(CHINESE);
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, locale: "zh-CN" } as const;
  const { page } = await openPage(browser(), url, phone);
  await page.locator("#claim-1 + .read-marks .read-cite").tap();
  const card = page.locator(".read-card");
  expect(await card.innerText()).toContain(run.report.citations[0]?.quote);
  expect(await page.evaluate(FITS)).toBe(true);
  await card.getByRole("link", { name: "查看文档中的位置" }).tap();
  const mark = page.locator("dialog.document mark");
  await mark.waitFor();
  expect(await mark.textContent()).toBe(run.report.citations[0]?.quote);
  const box = await page.locator("dialog.document").boundingBox();
  expect(box).toEqual({ x: 0, y: 0, width: 390, height: 844 });
  expect(await seriousFaults(page)).toEqual([]);
  await page.getByRole("button", { name: "关闭文档" }).tap();
  await page.locator("dialog.document").waitFor({ state: "detached" });
  expect(page.url()).toBe(url);
});

it("shows hostile titles, quotes, texts and reasons as text", async () => {
  const { runs, url } = await startApp();
  const text = HOSTILE.map((words) => words.toWellFormed()).join("\n");
  const run = hostileRun(HOSTILE);
  const { id } = runs.add({ ...run, report: { ...run.report, answers: "partly", missing: HOSTILE } });
  const contentHash = runs.keep(id, text);
  runs.end(id, { termination: run.termination, report: { ...run.report, answers: "partly", missing: HOSTILE } });
  const { page } = await openPage(browser(), `${url}/runs/${id}/documents/${contentHash}?start=0&end=40`);
  page.on("dialog", () => expect.unreachable("A text ran as a script."));
  await expectMark(page, text.slice(0, 40));
  await page.getByRole("button", { name: "Close the document" }).click();
  for (const summary of await page.locator("main summary").all()) await summary.click();
  expect(await page.locator("main").textContent()).toContain(`<script>alert("1")</script><img src=x onerror='alert(2)'></title></style>`);
  expect(await madeByTexts(page)).toEqual([]);
  for (const mark of await page.locator(".read-text .read-sign").all()) {
    await mark.click();
    await page.locator(".read-card").waitFor();
    await page.keyboard.press("Escape");
  }
});

it("shows hostile texts of a model and a file of the real service as text", async () => {
  const attack = `<img src=x onerror="alert(1)"> [click](javascript:alert(1)) <script>alert(2)</script> ![i](https://evil.example/i.png)`;
  const quote = "The attack of 1874 failed";
  const hostile: WrittenReport = {
    ...ENGLISH,
    question: `What failed in 1874? ${attack}`,
    document: `${quote}. ${attack}\n`,
    title: "<img src=x onerror=alert(3)>.txt",
    text: `${quote}. [P1: "${quote}"] It is said that ${attack}.`,
  };
  const { url, run } = await askWritten(hostile);
  const { page } = await openPage(browser(), url);
  page.on("dialog", () => expect.unreachable("A text ran as a script."));
  await page.locator(".read-text .read-cite").first().click();
  await expectMark(page, run.report.citations[0]?.quote ?? "");
  expect(await page.locator(".document").textContent()).toContain(attack);
  expect(await madeByTexts(page)).toEqual([]);
});

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CELL_SEPARATOR } from "../../src/domain/blocks.ts";
import type { Claim } from "../../src/domain/report.ts";
import { WRITTEN_REPORTS, type WrittenReport } from "../fakes/written-reports.ts";
import { CORPUS } from "../helpers/open-dossier.ts";
import { startService } from "../helpers/start-service.ts";
import { askWritten, type WrittenRun } from "./ask-written.ts";
import { openPage, sharedBrowser } from "./browser.ts";
import { expectMark, seriousFaults } from "./in-page.ts";

const browser = sharedBrowser();
const [ENGLISH, CHINESE] = WRITTEN_REPORTS as [WrittenReport, WrittenReport];

/** The id of a sentence's element. */
const idOf = ({ report }: WrittenRun["run"], wanted: (claim: Claim) => boolean): string => `#claim-${report.claims.findIndex(wanted) + 1}`;

describe.each([
  ["English", ENGLISH],
  ["Chinese", CHINESE],
])("a report in %s", (_, written) => {
  it("leads from each number to exactly the quoted characters, also from a row of a table", async () => {
    const { run, url } = await askWritten(written);
    const { page } = await openPage(browser(), url);
    const byNumber = new Map(run.report.citations.map((citation) => [citation.id, citation]));
    const row = idOf(run, ({ text }) => text.includes(CELL_SEPARATOR));
    for (const place of [page.locator("#claim-1 + .read-marks"), page.locator(row)]) {
      const number = Number((await place.locator(".read-cite").first().textContent())?.replace(/^\[(\d+)\]$/, "$1"));
      await place.locator(".read-cite").first().click();
      const { start, end, contentHash, quote } = byNumber.get(number)!;
      expect(page.url()).toBe(`${url}/documents/${contentHash}?start=${start}&end=${end}`);
      await page.locator(`.document .read-cite[aria-current]`, { hasText: String(number) }).waitFor();
      await expectMark(page, quote);
      expect(await page.locator(".document-text").textContent()).toBe(written.document.trim());
    }
    if (written === ENGLISH) expect(await seriousFaults(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.locator(".document").waitFor({ state: "detached" });
    expect(page.url()).toBe(url);
    if (written === CHINESE) expect(await seriousFaults(page)).toEqual([]);
  });
});

it("tells on hover and by keyboard what a number quotes, and what a sentence stands on, with its working", async () => {
  const { run, url } = await askWritten(ENGLISH);
  const { page } = await openPage(browser(), url);
  const [quoted] = run.report.citations;
  await page.locator("#claim-1 + .read-marks .read-cite").waitFor();
  // As somebody copies a part of the text: numbers are no powers, and not one number.
  await page.evaluate("getSelection().selectAllChildren(document.querySelector('.read-text'))");
  const selected = await page.evaluate<string>("getSelection().toString()");
  expect(selected).toMatch(/\.\s?\[1\]/);
  expect(selected).not.toMatch(/\u2060|\.\s?\d+[=†‡”]/);
  await page.evaluate("getSelection().removeAllRanges()");
  await page.locator("#claim-1 + .read-marks .read-cite").hover();
  const card = page.locator(".read-card");
  await card.waitFor();
  expect(await card.innerText()).toContain(quoted?.quote);
  expect(await card.innerText()).toContain("northwind.txt");
  await page.keyboard.press("Escape");
  await card.waitFor({ state: "detached" });
  const computed = page.locator(`${idOf(run, ({ support }) => support === "computed")} + .read-marks .read-cite`).last();
  await computed.focus();
  await page.keyboard.press("Space");
  expect(await card.locator(".read-working").innerText()).toMatch(/^Calculation \$27\.2 billion \[\d\] − \$24\.1 billion \[\d\]$/);
  await card.locator(".read-working a").last().click();
  await expectMark(page, "revenue of $24.1 billion in fiscal 2023");
  // The marks of a block are one stop of the Tab key, and the arrow keys go from mark to mark.
  const stops = await page.evaluate<number[]>(`[...document.querySelector(".read-text").children].map((block) =>
    [...block.querySelectorAll(".read-marks > *")].filter(({ tabIndex }) => tabIndex === 0).length)`);
  expect(Math.max(...stops)).toBe(1);
  const focused = (): Promise<string> => page.evaluate("document.activeElement.ariaLabel");
  await computed.focus();
  await page.keyboard.press("ArrowLeft");
  expect(await focused()).toMatch(/^Note \d/);
  await page.keyboard.press("End");
  await page.keyboard.press("Tab");
  expect(await page.evaluate(`document.activeElement.matches(".read-marks > *") && document.activeElement.tabIndex`)).toBe(0);
});

it("says how far it answers, what is missing, and how many sentences stand on what", async () => {
  const { url } = await askWritten(CHINESE);
  const { page } = await openPage(browser(), url, { locale: "zh-CN" });
  const standing = await page.locator(".read-standing").innerText();
  expect(standing).toContain("回答了问题的一部分。");
  expect(standing).toContain("前景");
  expect(standing).toContain("共 7 句，由程序核对：2 句为引文原话 · 1 句由计算得出");
});

it("opens at one sentence, and at one place of a document, by address", async () => {
  const { run, url } = await askWritten(ENGLISH);
  const { page } = await openPage(browser(), `${url}#claim-6`);
  const target = page.locator("#claim-6.read-target");
  await target.waitFor();
  expect(await target.textContent()).toBe(run.report.claims[5]?.text);
  expect(await page.evaluate(`document.querySelector("#claim-6").getBoundingClientRect().bottom <= innerHeight`)).toBe(true);
  const { contentHash, start, end, quote } = run.report.citations.at(-1)!;
  await page.goto(`${url}/documents/${contentHash}?start=${start}&end=${end}`);
  await expectMark(page, quote);
});

it("says without a model that the closest passages may not answer, and leads to their places", async () => {
  const { url, ask } = await startService({});
  const run = (await ask({ question: "Which painter of Rotterdam sold the granite?" })) as WrittenRun["run"];
  const { page } = await openPage(browser(), `${url}/runs/${run.id}`);
  await page.getByText("no answer was found.").waitFor();
  const [closest] = run.report.closest;
  if (closest === undefined) throw new Error("The run has no closest passage.");
  await page.getByRole("heading", { name: "Closest passages" }).waitFor();
  await page.locator(".read-closest").getByRole("link", { name: "See the place in the document" }).first().click();
  await expectMark(page, closest.quote);
});

it("opens the file of a quote at its place in another window, and says so when the file has changed", async () => {
  const { url, dir, ask } = await startService({});
  const { id } = (await ask({ question: "奥尔德穆尔灯塔是谁设计的？" })) as { id: string };
  const { page } = await openPage(browser(), `${url}/runs/${id}`, { expected: /404/ });
  const cite = page.locator(".read-text .read-cite").first();
  await cite.click();
  const original = page.getByRole("link", { name: "Open original" });
  expect(await original.getAttribute("href")).toMatch(/\/original#:~:text=/);
  const [opened] = await Promise.all([page.context().waitForEvent("page"), original.click()]);
  await opened.waitForLoadState();
  expect((await opened.locator("body").innerText()).trim()).toBe(CORPUS["zh/灯塔.md"]?.trim());
  await opened.close();
  await writeFile(join(dir, "corpus/zh/灯塔.md"), "别的文字。");
  // The service soon looks at the folder again.
  await expect.poll(async () => (await fetch(new URL((await original.getAttribute("href")) ?? "", url))).status).not.toBe(200);
  await page.keyboard.press("Escape");
  await cite.click();
  await page.getByText("The file has changed since it was read").waitFor();
});

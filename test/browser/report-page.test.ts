import { expect, it } from "vitest";
import { createReportFiles } from "../../src/reports/report-files.ts";
import { sampleRun } from "../reports/sample-run.ts";
import { sharedBrowser } from "./browser.ts";

const browser = sharedBrowser();

it("a report shows its quotes to pointer and keyboard in a real browser, fits a phone, and requests nothing", async () => {
  const files = createReportFiles({ program: "dossier 0.1.0" });
  const html = new TextDecoder().decode(await files.render(sampleRun(), "html", new AbortController().signal));
  await files.close();
  const page = await browser().newPage({ viewport: { width: 380, height: 800 } });
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  // The browser would report here a style that the page's own policy refuses, and the tip would stay visible.
  const told: string[] = [];
  page.on("console", (message) => told.push(message.text()));
  await page.goto(`data:text/html;base64,${Buffer.from(html).toString("base64")}`);
  const tip = page.locator("#r4 + .tip");
  expect(await tip.isVisible()).toBe(false);
  await page.focus("#r4");
  expect([await tip.isVisible(), await tip.textContent()]).toEqual([true, expect.stringContaining("标点符号不应出现在行首")]);
  await page.hover("#r2");
  expect(await page.locator("#r2 + .tip").isVisible()).toBe(true);
  expect(await page.evaluate("document.querySelector('details').open")).toBe(false);
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  expect(asked.filter((url) => !url.startsWith("data:"))).toEqual([]);
  expect(told).toEqual([]);
  await page.close();
});

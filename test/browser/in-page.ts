import { AxeBuilder } from "@axe-core/playwright";
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

// What runs in the page is text, since the types of a browser are none of Node's.

/** Expects the marked text of the open document to be this, and the reader to see it. */
export async function expectMark(page: Page, quote: string): Promise<void> {
  const mark = page.locator(".document-text mark");
  await mark.waitFor();
  expect(await mark.allTextContents()).toEqual([quote]);
  const isInView = `(() => {
    const { top, bottom } = document.querySelector(".document-text mark").getBoundingClientRect();
    const region = document.querySelector(".document-text").getBoundingClientRect();
    return top >= region.top && bottom <= Math.min(region.bottom, innerHeight);
  })()`;
  expect(await page.evaluate(isInView)).toBe(true);
}

const OPEN_FOLDS = `(() => {
  const closed = [...document.querySelectorAll("main details:not([open])")];
  for (const fold of closed) fold.open = true;
  return closed.length === 0 && document.querySelector("main .loading") === null;
})()`;

/** Opens every fold of the view, also those within others, and waits until their contents are there. */
export async function openFolds(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(OPEN_FOLDS), { interval: 50 }).toBe(true);
}

/** Presses Tab until an element that matches has the focus, as somebody without a pointer does. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 150; presses += 1) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
  }
  throw new Error(`No Tab leads to ${selector}.`);
}

/** Returns what axe finds serious or critical. */
export async function seriousFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id, nodes }) => `${id} ${nodes[0]?.html}`);
}

/** Returns elements and links in the view that its texts must not have made. Links may lead to this server and to `https://a.example`. */
export function madeByTexts(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const elements = document.querySelectorAll("main :is(script, img, iframe, svg, object, embed, style, link, base, meta)");
    const links = [...document.querySelectorAll("main a")].filter(({ origin }) => origin !== location.origin && origin !== "https://a.example");
    return [...elements, ...links].map(({ outerHTML }) => outerHTML);
  })()`);
}

/** Goes to a path as a link of the page does. */
export async function goWithin(page: Page, path: string): Promise<void> {
  await page.evaluate(`(() => {
    history.pushState(null, "", ${JSON.stringify(path)});
    dispatchEvent(new PopStateEvent("popstate"));
  })()`);
}

/** Returns one form of what was copied. */
export function copied(page: Page, type: "text/plain" | "text/html"): Promise<string> {
  return page.evaluate(`navigator.clipboard.read().then(([item]) => item.getType("${type}")).then((blob) => blob.text())`);
}

/** Measures an element within the step that shows it: above the steps stands the draft of the answer, which grows. */
export async function boxInStep(element: Locator): Promise<{ top: number; height: number }> {
  const step = await element.page().locator(".step", { has: element }).last().boundingBox();
  const box = await element.boundingBox();
  if (box === null || step === null) throw new Error("The element or its step is not shown.");
  return { top: Math.round(box.y - step.y), height: Math.round(box.height) };
}

/** Waits until the page has shown what was done before. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
}

export const FITS = "document.documentElement.scrollWidth <= innerWidth";

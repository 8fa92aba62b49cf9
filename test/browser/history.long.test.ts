import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { startService } from "../helpers/start-service.ts";
import { openPage, sharedBrowser } from "./browser.ts";
import { dropFile } from "./drop-file.ts";
import { boxInStep, openFolds, seriousFaults } from "./in-page.ts";
import { componentEvents, madeRecording } from "./made-recording.ts";
import { COMPLETE_COMPONENTS, growing } from "./shown-components.ts";

const browser = sharedBrowser();
const PLACE = ".replay-place";

/** Shows these events in the replay of a file, and goes to the last one. */
async function showRecording(page: Page, recording: string): Promise<void> {
  await page.locator(PLACE).waitFor();
  await dropFile(page, PLACE, "made.ndjson", recording);
  await page.getByRole("slider").waitFor();
  await page.getByRole("slider").focus();
  await page.keyboard.press("End");
  await page.locator(".step").first().waitFor();
  await openFolds(page);
}

it.each(COMPLETE_COMPONENTS)("%s grows without jumping, and what was shown stays where it is", async (component, props) => {
  const { url } = await startService({});
  const { page } = await openPage(browser(), `${url}/replay`);
  const stages = growing(props);
  const events = componentEvents(
    stages.map((partial, index) => ({ component, props: partial, partial: index < stages.length - 1, callId: "one" })),
  );
  await showRecording(page, madeRecording(events));
  const last = Number(await page.getByRole("slider").getAttribute("max"));
  const places: { top: number; height: number }[] = [];
  for (let at = last - stages.length + 1; at <= last; at += 1) {
    await page.getByRole("slider").fill(String(at));
    await page.getByText(`${at} of ${last}`).first().waitFor();
    await openFolds(page);
    const shown = page.locator(`[data-component="${component}"]`);
    await expect.poll(() => shown.getAttribute("aria-busy")).toBe(String(at < last));
    places.push(await boxInStep(shown));
  }
  const heights = places.map(({ height }) => height);
  expect(heights, "never gets smaller").toEqual(heights.toSorted((one, other) => one - other));
  expect(new Set(places.map(({ top }) => top)).size).toBe(1);
});

it("axe finds nothing serious, and nothing is wider than a telephone, in both languages and themes", async () => {
  const { url, ask } = await startService({});
  const one = (await ask({ question: "Who built the lighthouse of Aldermoor?", threadId: "a" })) as { id: string };
  const two = (await ask({ question: "奥尔德穆尔灯塔是谁设计的？", threadId: "a" })) as { id: string };
  const paths = ["/history", `/compare?left=${one.id}&right=${two.id}`, `/replay?run=${one.id}&at=12`, "/replay", "/compare"];
  for (const [locale, colorScheme] of [
    ["en-US", "light"],
    ["zh-CN", "dark"],
  ] as const) {
    const { page } = await openPage(browser(), `${url}/history`, { locale, colorScheme, viewport: { width: 390, height: 844 } });
    for (const path of paths) {
      await page.goto(`${url}${path}`);
      await page.locator("main :is(h1, .notice-title)").first().waitFor();
      expect(await seriousFaults(page), `${path} ${locale}`).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path).toBe(true);
    }
    await page.goto(`${url}/history`);
    await page.locator(".history-run .button-quiet").first().click();
    await page.getByRole("menu").waitFor();
    expect(await seriousFaults(page), "menu").toEqual([]);
    await page.keyboard.press("Escape");
    await page.goto(`${url}/replay`);
    await showRecording(page, madeRecording(componentEvents(COMPLETE_COMPONENTS.map(([component, props]) => ({ component, props })))));
    expect(await seriousFaults(page), `components ${locale}`).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "components").toBe(true);
  }
});

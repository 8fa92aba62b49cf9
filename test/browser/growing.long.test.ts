import { expect, it } from "vitest";
import { startService } from "../helpers/start-service.ts";
import { openPage, sharedBrowser } from "./browser.ts";
import { dropFile } from "./drop-file.ts";
import { boxInStep } from "./in-page.ts";
import { componentEvents, madeRecording } from "./made-recording.ts";
import { COMPLETE_COMPONENTS } from "./shown-components.ts";

const browser = sharedBrowser();
const MOMENTS = 12;

/** The beginning of props as a model writes them: texts and lists that grow at their ends. */
function begun(value: unknown, share: number): unknown {
  if (typeof value === "string") return value.slice(0, Math.ceil(value.length * share));
  if (Array.isArray(value)) {
    const whole = Math.floor(value.length * share);
    return value.slice(0, whole + 1).map((one, at) => (at < whole ? one : begun(one, value.length * share - whole)));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(begun(Object.entries(value), share) as [string, unknown][]);
}

it.each(COMPLETE_COMPONENTS)("a growing %s neither moves nor shrinks", async (component, props) => {
  const { url } = await startService({});
  const { page } = await openPage(browser(), `${url}/replay`);
  const shares = Array.from({ length: MOMENTS }, (_, at) => (at + 1) / MOMENTS);
  const grown = shares.map((share) => ({ component, props: begun(props, share), partial: share < 1, callId: "c" }));
  await dropFile(page, ".replay-place", "growing.ndjson", madeRecording(componentEvents(grown)));
  const boxes: { top: number; height: number }[] = [];
  for (const at of shares.keys()) {
    await page.getByRole("slider").fill(String(4 + at));
    if (at === 0) await page.locator(".step > summary").last().click();
    boxes.push(await boxInStep(page.locator(".component")));
  }
  expect(new Set(boxes.map(({ top }) => top)).size).toBe(1);
  const heights = boxes.map(({ height }) => height);
  expect(heights).toEqual(heights.toSorted((a, b) => a - b));
});

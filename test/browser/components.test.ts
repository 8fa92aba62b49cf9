import { expect, it } from "vitest";
import { z } from "zod";
import type { ContentItem } from "../../src/domain/content.ts";
import type { Tool } from "../../src/domain/ports/tools.ts";
import { scriptedAnalyst } from "../fakes/scripted-analyst.ts";
import { startService } from "../helpers/start-service.ts";
import { openPage, sharedBrowser } from "./browser.ts";
import { dropFile } from "./drop-file.ts";
import { ELSEWHERE, HOSTILE_HTML, hostileComponents } from "./hostile-components.ts";
import { openFolds } from "./in-page.ts";
import { componentEvents, madeRecording } from "./made-recording.ts";

const browser = sharedBrowser();

const SHOWN: readonly ContentItem[] = [
  {
    type: "component",
    component: "table",
    props: {
      columns: ["城市", "人口"],
      rows: [
        ["奥尔德穆尔", 1874],
        ["Tolmere", 90],
      ],
    },
  },
  {
    type: "component",
    component: "time-series",
    props: {
      title: "Ships",
      unit: "a year",
      points: [
        ["2021", 3],
        ["2022", null],
        ["2023", 9.5],
      ],
    },
  },
  { type: "component", component: "source-card", props: { title: "灯塔", url: "https://example.org/a", quote: "Built in 1874." } },
  { type: "component", component: "unheard-of", props: { a: [1, "灯"] } },
  { type: "webcomponent", tag: "x-table", props: { rows: [{ name: "lamp", oil: "whale" }] } },
  { type: "webcomponent", html: "<x-table></x-table>", untrusted: true, tag: "x-table", props: { rows: [{ sound: "fog bell" }] } },
  { type: "webcomponent", html: "<p>Height: <strong>90 m</strong></p><x-chart props='{\"data\":[1,2,3]}'></x-chart>", untrusted: true },
];

function showingTool(content: readonly ContentItem[]): Tool<Record<string, never>> {
  return {
    name: "shower",
    description: "Shows things.",
    kind: "query",
    schema: z.strictObject({}),
    timeoutMs: 5_000,
    call: async () => ({ text: "shown", sources: [], content: [...content] }),
  };
}

it("shows what a tool sends: table, chart with its values beside, source card, custom elements, and the JSON of others", async () => {
  const parts = { analyst: scriptedAnalyst([[["shower", {}]]]), tools: [showingTool(SHOWN)] };
  const { url, ask } = await startService({ parts });
  const run = (await ask({ question: "Who built the lighthouse of Aldermoor?" })) as { id: string };
  const { page } = await openPage(browser(), `${url}/runs/${run.id}`);
  await page.getByText("How it got there").waitFor();
  await openFolds(page);
  await page.getByRole("columnheader", { name: "城市" }).waitFor();
  const chart = page.getByRole("img", { name: "Ships: 2 values from 2021 to 2023, lowest 3 a year, highest 9.5 a year." });
  await chart.waitFor();
  // The components are loaded when the first one is shown, and the chart has a fold of its own.
  await openFolds(page);
  await page.getByRole("table", { name: "Ships, a year" }).first().getByRole("cell", { name: "9.5" }).waitFor();
  // The service has marked the address, which neither a source nor the user named.
  await page.getByText("(not retrieved)").first().waitFor();
  await page.getByText("unheard-of: not known here. Its data").waitFor();
  await page.getByRole("cell", { name: "whale" }).waitFor();
  await page.getByRole("cell", { name: "fog bell" }).waitFor();
  await page.locator(".component-html strong", { hasText: "90 m" }).waitFor();
  await page.locator(".component-html x-chart svg").waitFor();
});

it("lets nothing of hostile components run, be requested or take the place of the page", async () => {
  const { url } = await startService({});
  const { page, foreign } = await openPage(browser(), `${url}/replay`);
  await page.evaluate("window.ran = []");
  await page.locator(".replay-place").waitFor();
  await dropFile(page, ".replay-place", "hostile.ndjson", madeRecording(componentEvents(hostileComponents())));
  const slider = page.getByRole("slider");
  await slider.waitFor();
  await slider.focus();
  await page.keyboard.press("End");
  await page.locator(".step").first().waitFor();
  await openFolds(page);
  await page
    .locator(".component-html")
    .nth(HOSTILE_HTML.length - 1)
    .waitFor();
  await page.getByText("kept text").first().waitFor();
  expect(await page.evaluate("window.ran")).toEqual([]);
  expect(foreign).toEqual([]);
  const inside = (selector: string): Promise<number> => page.locator(`.component-html ${selector}`).count();
  for (const selector of [
    "a",
    "img",
    "svg",
    "math",
    "style",
    "iframe",
    "form",
    "input",
    "script",
    "link",
    "video",
    "object",
    "base",
    "template",
  ]) {
    expect(await inside(selector), selector).toBe(0);
  }
  expect(await inside(":is([style], [class], [id], [name], [onclick], [onerror], [is]):not(:is(x-chart, x-table, x-source) *)")).toBe(0);
  const links = await page.locator("main a").evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
  expect(links.filter((href) => !/^https?:|^\/|^#s3$/.test(href))).toEqual([]);
  // A click on anything shown leads nowhere.
  await page.locator(".component-html").first().click();
  expect(new URL(page.url()).origin).toBe(url);
  expect(links.every((href) => !href.includes("javascript"))).toBe(true);
  expect(ELSEWHERE).toContain("http");
});

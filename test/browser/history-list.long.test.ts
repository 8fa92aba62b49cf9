import { expect, it } from "vitest";
import { startService } from "../helpers/start-service.ts";
import { startApp } from "../http/app-under-test.ts";
import { openPage, sharedBrowser } from "./browser.ts";

const browser = sharedBrowser();
const ENGLISH = "Who built the lighthouse of Aldermoor?";
const CHINESE = "奥尔德穆尔灯塔是谁设计的？";

it("finds runs by words, status and thread, and keeps the filter in the address", async () => {
  const { url, ask } = await startService({});
  await ask({ question: ENGLISH, threadId: "tower" });
  await ask({ question: "Where is the harbour wall?", threadId: "tower" });
  await ask({ question: CHINESE });
  const { page } = await openPage(browser(), `${url}/history`);
  const names = () => page.locator(".history-name").allInnerTexts();
  await expect.poll(names).toEqual([CHINESE, "Where is the harbour wall?", ENGLISH]);
  await page.getByRole("region", { name: "One thread, 2 runs" }).waitFor();
  const field = page.getByRole("searchbox");
  await field.fill("灯塔");
  await expect.poll(names).toEqual([CHINESE]);
  expect(new URL(page.url()).searchParams.get("text")).toBe("灯塔");
  await page.reload();
  await expect.poll(names).toEqual([CHINESE]);
  await field.fill("LIGHTHOUSE who");
  await expect.poll(names).toEqual([ENGLISH]);
  await page.getByRole("combobox", { name: "Status" }).selectOption({ label: "Failed" });
  await page.getByText("No run matches.").waitFor();
  await page.getByRole("link", { name: "Show all runs" }).click();
  await expect.poll(names).toHaveLength(3);
  await page.getByRole("link", { name: "The whole thread" }).click();
  await expect.poll(names).toEqual(["Where is the harbour wall?", ENGLISH]);
});

it("renames, asks again with changes, and deletes after asking", async () => {
  const { url, ask } = await startService({});
  const run = (await ask({ question: ENGLISH, depth: "quick", sources: ["corpus"], limits: { downloads: 3 } })) as { id: string };
  const { page } = await openPage(browser(), `${url}/history`);
  const act = async (name: string, action: string): Promise<void> => {
    await page.getByRole("button", { name: `More for ${name}` }).click();
    await page.getByRole("menuitem", { name: action }).click();
  };
  await act(ENGLISH, "Rename");
  await page.getByRole("textbox", { name: "Name of the run" }).fill("灯塔 <b>1</b>");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "灯塔 <b>1</b>" }).waitFor();
  await page.getByText(`Question: ${ENGLISH}`).waitFor();
  expect(await (await fetch(`${url}/research/${run.id}`)).json()).toMatchObject({ title: "灯塔 <b>1</b>", question: ENGLISH });

  await act("灯塔 <b>1</b>", "Run again with changes");
  const field = page.getByRole("textbox", { name: "Your question" });
  await expect.poll(() => field.inputValue()).toBe(ENGLISH);
  await field.fill("Who lights the lamp of the lighthouse?");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/runs\//);
  await page.getByRole("link", { name: "Replay" }).waitFor();
  const again = (await (await fetch(`${url}/research/${page.url().split("/").pop()}`)).json()) as { request: unknown };
  expect(again.request).toMatchObject({
    question: "Who lights the lamp of the lighthouse?",
    depth: "quick",
    sources: ["corpus"],
    limits: { downloads: 3 },
  });

  await page.getByRole("link", { name: "History" }).click();
  await act("灯塔 <b>1</b>", "Delete");
  await page.getByRole("group", { name: "Delete this run?" }).waitFor();
  expect(await page.evaluate("document.activeElement.textContent")).toBe("Keep it");
  await page.keyboard.press("Enter");
  await page.getByRole("group", { name: "Delete this run?" }).waitFor({ state: "detached" });
  await act("灯塔 <b>1</b>", "Delete");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("link", { name: "灯塔 <b>1</b>" }).waitFor({ state: "detached" });
  expect((await fetch(`${url}/research/${run.id}`)).status).toBe(404);
});

it("compares two runs: sentences in both and in one only, sources and figures", async () => {
  const { url, ask } = await startService({});
  await ask({ question: ENGLISH });
  await ask({ question: "Who built the lighthouse of Aldermoor, and who designed the harbour wall?" });
  const { page } = await openPage(browser(), `${url}/history`);
  await page.getByRole("checkbox", { name: `Compare ${ENGLISH}` }).check();
  await page.getByText("Choose a second run").waitFor();
  await page.getByRole("checkbox", { name: /harbour wall/ }).check();
  await page.getByRole("link", { name: "Compare" }).click();
  await page.waitForURL(/\/compare\?left=.*&right=/);
  const both = page.getByRole("region", { name: "In both" });
  await both.getByText("same words").first().waitFor();
  expect(await both.innerText()).toContain("Ada Penrose");
  const right = page.getByRole("region", { name: "Only right" }).first();
  expect(await right.innerText()).toMatch(/\d+ sentences? only right/);
  await page.getByText("Whether others mean the same is not judged.").waitFor();
  expect(await page.getByRole("row", { name: /^State/ }).innerText()).toMatch(/Done\s+Done/);
  const [before] = await page.locator(".compare-name").allInnerTexts();
  await page.getByRole("button", { name: "Swap sides" }).click();
  await expect.poll(async () => (await page.locator(".compare-name").allInnerTexts())[1]).toBe(before);
  await both.getByRole("link").first().click();
  await page.waitForURL(/\/runs\/.*#claim-\d+$/);
  const id = new URL(page.url()).pathname.split("/")[2];
  await page.goto(`${url}/compare?left=${id}&right=${id}`);
  await page.getByText("Both sides are the same run.").waitFor();
});

it("says when there is nothing, when a run is gone, and when the server does not answer", async () => {
  const { url } = await startService({});
  const { page } = await openPage(browser(), `${url}/history`, { expected: /Failed to load resource/ });
  await page.getByText("Nothing has been asked yet.").waitFor();
  await page.goto(`${url}/compare`);
  await page.getByText("Choose two runs to compare").waitFor();
  await page.goto(`${url}/compare?left=none&right=none`);
  await page.getByText("The run on this side cannot be read").first().waitFor();
  await page.goto(`${url}/replay?run=none`);
  await page.getByText("The run cannot be replayed").waitFor();
  await page.route("**/research?*", (route) => route.abort());
  await page.goto(`${url}/history`);
  await page.getByText("The server does not answer").waitFor();
  await page.unroute("**/research?*");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("Nothing has been asked yet.").waitFor();
});

it("puts the runs of a day under its name", async () => {
  const { url, runs } = await startApp();
  // The page counts days by the server's clock.
  const now = Date.parse((await fetch(url)).headers.get("date") ?? "");
  const at = (days: number): string => new Date(now - days * 86_400_000).toISOString();
  for (const [id, days] of [
    ["old", 40],
    ["before", 1],
    ["now", 0],
  ] as const)
    runs.add({ id, threadId: id, question: `第 ${id}`, createdAt: at(days), status: "succeeded" });
  const { page } = await openPage(browser(), `${url}/history`, { locale: "zh-CN" });
  await page.getByRole("region", { name: "今天" }).getByText("第 now").waitFor();
  await page.getByRole("region", { name: "昨天" }).getByText("第 before").waitFor();
  await page
    .getByRole("region", { name: /^\d{4}年\d+月\d+日/ })
    .getByText("第 old")
    .waitFor();
});

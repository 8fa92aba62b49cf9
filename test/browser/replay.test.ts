import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { startService } from "../helpers/start-service.ts";
import { openPage, sharedBrowser } from "./browser.ts";
import { dropFile } from "./drop-file.ts";
import { componentEvents, madeRecording } from "./made-recording.ts";

const browser = sharedBrowser();

const PLACE = ".replay-place";

it("shows a run of the server as it was at any moment, and keeps the moment in the address", async () => {
  const { url, ask } = await startService({});
  const run = (await ask({ question: "奥尔德穆尔灯塔是谁设计的？" })) as { id: string };
  const { page } = await openPage(browser(), `${url}/replay?run=${run.id}`);
  const slider = page.getByRole("slider", { name: "Moment" });
  await slider.waitFor();
  await page.getByRole("heading", { name: "奥尔德穆尔灯塔是谁设计的？" }).waitFor();
  expect(await page.getByRole("status").first().innerText()).toContain("Waiting for a free place");
  await slider.focus();
  await page.keyboard.press("End");
  await page.getByRole("region", { name: "The report" }).getByText("艾达·彭罗斯").first().waitFor();
  const last = Number(await slider.inputValue());
  await page.keyboard.press("ArrowLeft");
  await page.getByRole("region", { name: "The report" }).waitFor({ state: "detached" });
  await page.waitForURL((address) => address.searchParams.get("at") === String(last - 1));
  await page.reload();
  await expect.poll(() => page.getByRole("slider").inputValue()).toBe(String(last - 1));

  await page.getByRole("combobox", { name: "Speed" }).selectOption("100");
  await page.keyboard.press("Tab");
  await page.getByRole("slider").fill("1");
  await page.getByRole("button", { name: "Play" }).click();
  await page.getByRole("region", { name: "The report" }).waitFor();
  expect(await page.getByRole("slider").getAttribute("aria-valuetext")).toContain("ended");
});

it("shows a dropped recording the same way, and stores and sends nothing of it", async () => {
  const { url } = await startService({});
  const { page } = await openPage(browser(), `${url}/replay`);
  await page.getByText("nothing of it is stored or sent anywhere").waitFor();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await dropFile(page, PLACE, "研究.ndjson", readFileSync(new URL("../replays/research.ndjson", import.meta.url), "utf8"));
  const slider = page.getByRole("slider", { name: "Moment" });
  await slider.waitFor();
  await page.getByText("研究.ndjson").waitFor();
  await slider.focus();
  await page.keyboard.press("End");
  await page.getByRole("region", { name: "The report" }).waitFor();
  expect(asked.filter((one) => !/^GET \/assets\//.test(one))).toEqual([]);
  expect((await (await fetch(`${url}/research`)).json()) as unknown).toEqual({ runs: [], nextCursor: null });
});

const BAD_FILES = [
  ["nothing", "", "The file is empty."],
  ["a document", "灯塔\n", "Line 1 is not JSON"],
  ["a bundle", '{"type":"dossier-bundle","version":2}\n', "This is an evidence bundle."],
  ["other JSON lines", '{"type":"something"}\n', "not of a recording"],
  ["a later version", madeRecording(componentEvents([])).replace('"version":1', '"version":9'), "version 9"],
  ["a lost line", madeRecording(componentEvents([])).replace(/.*"seq":2.*\n/, ""), "Line 3 has the wrong event: expected number 2"],
  ["a broken event", madeRecording([{ type: "source-found" }]), "The event in line 2 cannot be read"],
  ["no events", madeRecording([]), "has no events"],
] as const;

it("says what is wrong with a file that is no recording", async () => {
  const { url } = await startService({});
  const { page } = await openPage(browser(), `${url}/replay`);
  await page.locator(PLACE).waitFor();
  for (const [name, content, message] of BAD_FILES) {
    await dropFile(page, PLACE, name, content);
    await page.getByRole("alert").getByText(message).waitFor();
    expect(await page.getByRole("alert").innerText()).toContain(name);
  }
});

it("shows what is there of a file that was cut off, and says so", async () => {
  const { url } = await startService({});
  const { page } = await openPage(browser(), `${url}/replay`);
  await page.locator(PLACE).waitFor();
  await dropFile(page, PLACE, "cut.ndjson", madeRecording(componentEvents([])).replace(/\{"type":"end".*\n/, ""));
  await page.getByText("it was cut off").waitFor();
  expect(await page.getByRole("slider").getAttribute("max")).toBe("3");
});

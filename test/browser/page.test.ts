import { expect, it } from "vitest";
import { startService } from "../helpers/start-service.ts";
import { openPage, sharedBrowser } from "./browser.ts";

const browser = sharedBrowser();

it("asks a question without a model and shows its steps", async () => {
  const { url } = await startService({});
  const { page } = await openPage(browser(), url);
  await page.getByRole("textbox", { name: "Your question" }).fill("Who built the lighthouse of Aldermoor?");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/runs\//);
  await page.getByRole("heading", { name: "Who built the lighthouse of Aldermoor?" }).waitFor();
  await page.getByText("succeeded ended").waitFor();
  expect(await page.locator("main").innerText()).toContain("summarize");
});

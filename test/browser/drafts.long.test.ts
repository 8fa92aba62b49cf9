import { expect, it } from "vitest";
import * as say from "../fakes/model-server/behaviors.ts";
import { openPage, sharedBrowser } from "./browser.ts";
import { askInPage, QUESTION, researchRoles, startModelService, waitForState } from "./page-service.ts";

const browser = sharedBrowser();

it("keeps what was typed over a glance at another view and a reload: a question, an answer, a plan", async () => {
  const { url } = await startModelService(researchRoles());
  const { page } = await openPage(browser(), url);
  const field = page.getByRole("textbox", { name: "Your question" });
  await field.fill("Half a question 半个问题");
  await page.getByRole("link", { name: "System" }).click();
  await page.getByRole("link", { name: "Ask", exact: true }).click();
  expect(await field.inputValue()).toBe("Half a question 半个问题");
  await page.getByText("Options", { exact: true }).click();
  await page.getByRole("radio", { name: /^Planned/ }).check();
  await page.getByRole("checkbox", { name: "Ask me before it works on a plan" }).check();
  await askInPage(page, `${QUESTION} 港墙呢？`);
  await waitForState(page, "Waiting for you");
  await page.getByRole("textbox", { name: "Todo 2" }).fill("港墙是什么石料？");
  await page.reload();
  await expect.poll(() => page.getByRole("textbox", { name: "Todo 2" }).inputValue()).toBe("港墙是什么石料？");
  await page.getByRole("link", { name: "Ask", exact: true }).click();
  // What was sent is no draft any more.
  expect(await field.inputValue()).toBe("");
});

it("hands back the words of an answer that another window has given", async () => {
  const { url } = await startModelService((_, index) =>
    index === 0 ? say.toolCalls([{ name: "ask_user", arguments: { question: "Which one? 哪一座？" } }]) : say.text("Thanks."),
  );
  const { page } = await openPage(browser(), url);
  await page.getByText("Options", { exact: true }).click();
  await page.getByRole("radio", { name: /^Agent/ }).check();
  await askInPage(page, "How tall is it?");
  const answer = page.getByRole("textbox", { name: "Your answer Which one? 哪一座？" });
  await answer.fill("my long, careful answer 很长的回答");
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole("textbox", { name: /^Your answer/ }).fill("A");
  await other.keyboard.press("Enter");
  await waitForState(page, "Done");
  await page.getByText("This was answered in another window.").waitFor();
  await page.getByText("my long, careful answer 很长的回答").waitFor();
  expect(await other.getByText("This was answered in another window.").count()).toBe(0);
});

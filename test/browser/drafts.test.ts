import { expect, it } from "vitest";
import * as say from "../fakes/model-server/behaviors.ts";
import { startService } from "../helpers/start-service.ts";
import { openPage, sharedBrowser } from "./browser.ts";
import { askInPage, QUESTION, researchRoles, startModelService, waitForState } from "./page-service.ts";

const browser = sharedBrowser();

it("asks nothing with a limit that is no number, and understands how people type one", async () => {
  const { url } = await startService({});
  const { page } = await openPage(browser(), url);
  const field = page.getByRole("textbox", { name: "Your question" });
  await field.fill(QUESTION);
  await page.getByText("Options", { exact: true }).click();
  const seconds = page.getByRole("textbox", { name: "Seconds" });
  await seconds.fill("2 min");
  await page.getByText("A limit is no number.").first().waitFor();
  expect(await page.getByRole("button", { name: "Ask", exact: true }).first().isDisabled()).toBe(true);
  await field.focus();
  await page.keyboard.press("Enter");
  await seconds.fill("９０,5");
  const [request] = await Promise.all([
    page.waitForRequest((sent) => sent.method() === "POST" && sent.url().endsWith("/research")),
    field.press("Enter"),
  ]);
  expect(request.postDataJSON()).toMatchObject({ limits: { seconds: 90.5 } });
});

it("keeps a question that is too long and says so, and does not ask one without words", async () => {
  const { url } = await startService({});
  const { page } = await openPage(browser(), url, { locale: "zh-CN" });
  const field = page.getByRole("textbox", { name: "你的问题" });
  const long = `${"灯".repeat(8_000)}谁建了它？`;
  await field.fill(long);
  await page.getByText("共 8,005 个字符，最多可问 8,000 个。").waitFor();
  expect(await field.inputValue()).toBe(long);
  expect(await page.getByRole("button", { name: "提问" }).isDisabled()).toBe(true);
  await field.fill("\u200b");
  expect(await page.getByRole("button", { name: "提问" }).isDisabled()).toBe(true);
});

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

it("names the files that are not attached, with the reason", async () => {
  const { url } = await startService({});
  const { page } = await openPage(browser(), url);
  const texts = Array.from({ length: 21 }, (_, at) => ({ name: `${at}.txt`, mimeType: "text/plain", buffer: Buffer.from("text") }));
  await page.locator('input[type="file"]').setInputFiles([{ name: "空.txt", mimeType: "text/plain", buffer: Buffer.alloc(0) }, ...texts]);
  await page.getByText("Not attached: 空.txt (it is empty), 20.txt (at most 20 files and addresses)").waitFor();
  await page.getByRole("button", { name: "Remove 0.txt" }).click();
  await page.getByText(/^Not attached/).waitFor({ state: "detached" });
});

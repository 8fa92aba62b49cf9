import { expect, it, onTestFinished } from "vitest";
import * as say from "../fakes/model-server/behaviors.ts";
import { behaviorFor } from "../fakes/model-server/script.ts";
import { openPage, sharedBrowser } from "./browser.ts";
import { answers, gated, QUESTION, startModelService } from "./page-service.ts";

const browser = sharedBrowser();

it("shows the limits of the chosen depth and of the server in the empty fields", async () => {
  const { url } = await startModelService(answers("好。"), { environment: { MAX_DOWNLOADS: "9" } });
  const { page } = await openPage(browser(), url);
  await page.getByText("Options", { exact: true }).click();
  const shown = (name: string) => page.getByRole("textbox", { name, exact: true }).getAttribute("placeholder");
  const all = async () => Promise.all(["Seconds", "Documents", "Model calls", "US dollars"].map(shown));
  await expect.poll(all).toEqual(["600", "9", "10", "none"]);
  await page.getByRole("radio", { name: "Quick" }).check();
  await expect.poll(all).toEqual(["300", "6", "3", "none"]);
});

it("offers the models that the server lists, or says why it cannot", async () => {
  const { url, model } = await startModelService(answers("好。"));
  const { page } = await openPage(browser(), url);
  await page.getByText("Options", { exact: true }).click();
  await page.getByText("The server offers 1 model").waitFor();
  await page.close();
  await model.close();
  const { page: later } = await openPage(browser(), url);
  await later.getByText("Options", { exact: true }).click();
  await later.getByText(/^The models of the server could not be listed: .*OPENAI_BASE_URL/).waitFor();
});

it("tells how each source did when it was last tried", async () => {
  const { url, ask } = await startModelService(answers("好。"));
  await ask({ question: QUESTION });
  const { page } = await openPage(browser(), url, { locale: "zh-CN" });
  await page.getByText("选项", { exact: true }).click();
  await page
    .locator(".ask-source", { hasText: "本地文档" })
    .getByText(/^\d\d:\d\d可用$/)
    .waitFor();
});

it("says while a run works how long such runs usually take, once three have ended, and before that it is not known", async () => {
  const gate = gated([say.repeat(say.text("没有。"))]);
  const { url, ask, start } = await startModelService((request, index) =>
    index < 3 ? say.text("没有。") : behaviorFor(gate.script, request, index),
  );
  onTestFinished(gate.open);
  for (let at = 0; at < 3; at += 1) await ask({ question: QUESTION, graph: "agent" });
  const other = await start({ question: QUESTION, graph: "agent", depth: "standard" });
  const { page: zh } = await openPage(browser(), `${url}/runs/${other.id}`, { locale: "zh-CN" });
  await zh.getByText("通常用时尚不清楚").waitFor();
  expect(await zh.getByText("通常用时尚不清楚").count()).toBe(1);
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/research`, {
    method: "POST",
    headers,
    body: JSON.stringify({ question: QUESTION, graph: "agent" }),
  });
  const { id } = (await response.json()) as { id: string };
  const { page } = await openPage(browser(), `${url}/runs/${id}`);
  await page.getByText(/^usually about \d/).waitFor();
});

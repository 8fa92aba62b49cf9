import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { startSearchServices } from "../fakes/search-services.ts";
import { startService } from "../helpers/start-service.ts";
import { openPage, sharedBrowser } from "./browser.ts";
import { FITS } from "./in-page.ts";
import { answers, askInPage, expectAccessible, startModelService, waitForState } from "./page-service.ts";

const browser = sharedBrowser();

const LAMPS = { title: "Whale oil lamps 鲸油灯", text: "A whale oil lamp gave more light than a gas lamp. 鲸油灯比煤气灯更亮。" };
const QUESTION = "Act as an expert historian and tell me how whale oil lamps compare with gas lamps; keep it under 500 words.";

async function startSearching() {
  const services = await startSearchServices(() => [LAMPS]);
  return { asked: services.asked, environment: { ...services.environment, SOURCES: "searxng,openalex,corpus" } };
}

const wordsOf = (lines: readonly string[]) => lines.map((line) => line.split(" | ", 1)[0]);
const requestOf = async (url: string, id: string): Promise<unknown> =>
  ((await (await fetch(`${url}/research/${id}`)).json()) as { request: unknown }).request;
const askAndWait = async (page: Page, question: string): Promise<string> => {
  const id = await askInPage(page, question);
  await waitForState(page, "Done");
  return id;
};

it("shows without a model which words go to which sources, and sends others instead", async () => {
  const { asked, environment } = await startSearching();
  const { url } = await startService({ environment });
  const { page } = await openPage(browser(), url, { expected: /400/ });
  const question = page.getByRole("textbox", { name: "Your question" });
  await question.fill(QUESTION);
  const sent = page.getByRole("region", { name: "Search for" }).getByRole("status").first();
  await sent.getByText("Will be sent to SearXNG, OpenAlex:").waitFor();
  const told = await sent.locator("b").innerText();
  expect(told).toContain("historian");
  await expectAccessible(page);

  await page.getByRole("button", { name: "Change these words" }).focus();
  await page.keyboard.press("Enter");
  const field = page.getByRole("textbox", { name: "Search for" });
  expect(await page.evaluate("document.activeElement.value")).toBe(told);
  const send = page.getByRole("button", { name: "Ask", exact: true }).first();
  for (const [typed, fault] of [
    [" \n", "Write what to search for"],
    ["a\nb\nc\nd\ne\nf\n灯", "These are 7 searches; at most 6 are taken."],
    [`lamp\n${"灯".repeat(501)}`, "501 characters; at most 500 are taken"],
  ] as const) {
    await field.fill(typed);
    await page.getByText(fault).waitFor();
    expect([await send.isDisabled(), await sent.getByText("Will be sent").count()]).toEqual([true, 0]);
  }
  await field.fill("whale oil lamp\n\nsite:example.org");
  await page.getByText("No word to search for, beside operators such as site: and -word: site:example.org").waitFor();
  await expectAccessible(page);
  await field.fill('whale oil lamp\n"gas lamp"');
  await sent.getByText('whale oil lamp · "gas lamp"').waitFor();
  await page.reload();
  await sent.getByText('whale oil lamp · "gas lamp"').waitFor();
  expect(await page.evaluate("document.activeElement.name")).toBe("question");

  const id = await askAndWait(page, QUESTION);
  expect(wordsOf(asked.web)).toEqual(["whale oil lamp", '"gas lamp"']);
  expect(await requestOf(url, id)).toMatchObject({ queries: ["whale oil lamp", '"gas lamp"'] });
  await page.getByText("Receipt", { exact: true }).click();
  await page.locator(".read-receipt div", { hasText: "Searched for" }).getByText('whale oil lamp · "gas lamp"').waitFor();

  await page.goto(`${url}/?from=${id}`);
  await expect.poll(() => field.inputValue()).toBe('whale oil lamp\n"gas lamp"');
  await page.getByText("Options", { exact: true }).click();
  await page.getByRole("radio", { name: /^Planned/ }).check();
  await expect.poll(() => field.count()).toBe(0);
  await page.getByText(/documents · at most/).waitFor();
  await page.getByRole("radio", { name: /^Direct/ }).check();
  await page.getByRole("button", { name: "Use the words of the question" }).focus();
  await page.keyboard.press("Enter");
  await sent.getByText(told).waitFor();
  expect(await page.evaluate("document.activeElement.textContent")).toBe("Change these words");
  const again = await askAndWait(page, QUESTION);
  expect(await requestOf(url, again)).not.toHaveProperty("queries");
  expect(wordsOf(asked.web).slice(2)).toEqual([told]);
});

it("follows a Chinese question as it is typed, asks once for each pause, and keeps the last words until the next are there", async () => {
  const { asked, environment } = await startSearching();
  const { url } = await startService({ environment });
  const { page } = await openPage(browser(), url, { locale: "zh-CN", expected: /400/, viewport: { width: 390, height: 844 } });
  const bodies: string[] = [];
  const aborted: string[] = [];
  let hold = Promise.resolve();
  await page.route("**/research/estimate", async (route) => {
    bodies.push((route.request().postDataJSON() as { question: string }).question);
    await hold;
    await route.continue().catch(() => undefined);
  });
  page.on("requestfailed", (request) => request.url().endsWith("/estimate") && aborted.push(request.postDataJSON().question));
  await page.getByText("没有连接模型").waitFor();
  const question = page.getByRole("textbox", { name: "你的问题" });
  await question.pressSequentially("鲸油灯和煤气灯");
  const sent = page.getByRole("region", { name: "检索词" });
  await sent.getByText("将发送给 SearXNG、OpenAlex：").waitFor();
  await sent.getByText("鲸油灯 煤气灯", { exact: true }).waitFor();
  expect(bodies.filter((asking) => asking !== "…")).toEqual(["鲸油灯和煤气灯"]);

  const gate = Promise.withResolvers<void>();
  hold = gate.promise;
  await question.pressSequentially("的区别");
  await expect.poll(() => bodies.at(-1)).toBe("鲸油灯和煤气灯的区别");
  await question.pressSequentially("，请写五百字");
  await expect.poll(() => bodies.at(-1)).toBe("鲸油灯和煤气灯的区别，请写五百字");
  expect(aborted).toContain("鲸油灯和煤气灯的区别");
  expect(await sent.getByText("鲸油灯 煤气灯", { exact: true }).count()).toBe(1);
  gate.resolve();
  await sent.getByText("五百字").waitFor();
  expect(await page.evaluate(FITS)).toBe(true);
  await page.getByRole("button", { name: "换掉这些词" }).click();
  const field = page.getByRole("textbox", { name: "检索词" });
  await field.fill("鲸油灯 亮度\nsite:example.org");
  await page.getByText("除 site: 和 -词 这类运算符外，没有可检索的词：site:example.org").waitFor();
  await field.fill("鲸油灯 亮度\n煤气灯");
  await sent.getByText("鲸油灯 亮度 · 煤气灯").waitFor();
  await expectAccessible(page);
  expect(await page.evaluate(FITS)).toBe(true);
  await question.press("Enter");
  await page.waitForURL(/\/runs\//);
  await page.locator(".run-header").getByText("已完成", { exact: true }).waitFor();
  expect(wordsOf(asked.web)).toEqual(["鲸油灯 亮度", "煤气灯"]);
}, 60_000);

it("has the field in the options with a model, which writes the words where it is empty", async () => {
  const { asked, environment } = await startSearching();
  const { url } = await startModelService(answers("A whale oil lamp gave more light. [1]"), { environment, parts: { tools: [] } });
  const { page } = await openPage(browser(), url);
  await page.getByRole("textbox", { name: "Your question" }).fill("Which lamp gave more light?");
  await page.getByText("Options", { exact: true }).click();
  const field = page.getByRole("textbox", { name: "Search for" });
  await field.fill("a\nb\nc\nd\ne\nf\ng");
  await page.getByText("Not asked yet: correct “Search for” in the options.").waitFor();
  await field.fill("whale oil 鲸油");
  await page.getByRole("region", { name: "Search for" }).getByText("whale oil 鲸油").waitFor();
  expect(await page.getByRole("button", { name: "Change these words" }).count()).toBe(0);
  await expectAccessible(page);
  await askAndWait(page, "Which lamp gave more light?");
  expect(wordsOf(asked.web)).toEqual(["whale oil 鲸油"]);
});

it("tells of no words where no source outside this machine is searched", async () => {
  const { url } = await startService({});
  const { page } = await openPage(browser(), url);
  let sent: unknown = null;
  await page.route("**/research/estimate", async (route) => {
    const response = await route.fetch();
    if ((route.request().postData() ?? "").includes("lighthouse")) sent = ((await response.json()) as { sent: unknown }).sent;
    await route.fulfill({ response });
  });
  await page.getByRole("textbox", { name: "Your question" }).fill("Who built the lighthouse of Aldermoor?");
  await expect.poll(() => sent).toEqual([]);
  expect(await page.getByRole("region", { name: "Search for" }).count()).toBe(0);
});

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startServer } from "../e2e/server-process.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { startWithProvider } from "../helpers/oidc-provider.ts";
import { CORPUS, makeHome } from "../helpers/open-dossier.ts";
import { freePort } from "../helpers/processes.ts";
import { startService } from "../helpers/start-service.ts";
import { startApp } from "../http/app-under-test.ts";
import { openPage, sharedBrowser } from "./browser.ts";
import { openFolds } from "./in-page.ts";
import { askInPage, expectAccessible, gated, QUESTION, researchRoles, startModelService, waitForState } from "./page-service.ts";

const browser = sharedBrowser();
const SERVER = join(import.meta.dirname, "../../src/server.ts");

it("says that it waits while the server is dead, and goes on where it was when the server is back", async () => {
  const gate = gated([say.repeat(say.text("Nothing."))]);
  const model = await startModelServer(gate.script);
  onTestFinished(gate.open);
  const dir = await makeHome(CORPUS);
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const port = await freePort();
  const own = { DATA_DIR: join(dir, "data"), CORPUS_DIR: join(dir, "corpus"), SOURCES: "corpus", LOG_LEVEL: "silent", PORT: String(port) };
  const environment = { ...own, OPENAI_BASE_URL: model.url, OPENAI_MODEL: "scripted", OPENAI_API_KEY: "sk-test" };
  const first = await startServer(SERVER, [], environment, port);
  const { page } = await openPage(browser(), first.url, { expected: /Failed to load resource|ERR_/ });
  await askInPage(page, QUESTION);
  await page.getByText("Writing the report").first().waitFor();
  await first.stop("SIGKILL");
  await page.getByText(/The connection was lost\. Trying again in \d+ s/).waitFor();
  gate.open();
  await startServer(SERVER, [], environment, port);
  await waitForState(page, "Done");
  expect(await page.getByText("The connection was lost").count()).toBe(0);
  await page.locator(".run-details > summary").click();
  await page.getByText("The server was restarted; the run went on where it was").waitFor();
});

it("approves and rejects a plan with the keyboard only", async () => {
  const service = await startModelService(researchRoles());
  const { id } = await service.start({ question: `${QUESTION} 港墙呢？`, graph: "research", planApproval: true });
  await service.finish(id);
  const { page } = await openPage(browser(), `${service.url}/runs/${id}`);
  await page.getByRole("heading", { name: "Your answer is needed" }).waitFor();
  const tabTo = async (name: string): Promise<void> => {
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press("Tab");
      const focused = await page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent");
      if (focused === name) return;
    }
    throw new Error(`No Tab leads to ${name}.`);
  };
  await tabTo("Reject");
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "What should be different?" }).focus();
  await page.keyboard.type("只要港墙");
  await tabTo("Reject the plan");
  await page.keyboard.press("Space");
  await page.getByRole("textbox", { name: "Todo 1" }).and(page.getByText("What is the harbour wall of Aldermoor made of?")).waitFor();
  await tabTo("Approve the plan");
  await page.keyboard.press("Enter");
  await waitForState(page, "Done");
});

it("says that the server is silent when it hangs without closing the connection", async () => {
  const { url, runs } = await startApp({ heartbeatMs: 600_000 });
  const { id } = runs.add({ question: QUESTION, status: "running", startedAt: "2026-08-01T10:00:00.000Z" });
  runs.say(id, { type: "run-started", attempt: 1 });
  const { page } = await openPage(browser(), `${url}/runs/${id}`);
  await waitForState(page, "Working");
  await page.getByText(/The connection was lost\. Trying again in \d+ s/).waitFor();
});

it("fits 390 pixels on every view, in both languages", async () => {
  const service = await startModelService(researchRoles());
  const { id } = await service.start({ question: `${QUESTION} ${"很长的问题".repeat(40)}`, graph: "research", planApproval: true });
  await service.finish(id);
  const agent = (await service.ask({ question: "Who?", graph: "agent" })) as { id: string };
  for (const locale of ["en-US", "zh-CN"]) {
    const { page } = await openPage(browser(), service.url, { locale, viewport: { width: 390, height: 844 } });
    await page.locator(".ask-options > summary").click();
    await page.locator(".ask-kinds").waitFor();
    for (const path of ["/", `/runs/${id}`, `/runs/${agent.id}`, "/system"]) {
      if (path !== "/") await page.goto(`${service.url}${path}`);
      await page.locator(".ask-kinds, .pending-todos, .system-cards, .follow-up").first().waitFor();
      if (path.startsWith("/runs/")) await openFolds(page);
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), `${locale} ${path}`).toBeLessThanOrEqual(0);
      await expectAccessible(page);
    }
  }
});

it("signs in at a provider of another site, shows the view from which somebody left, and signs out", async () => {
  const { url, issuer } = await startWithProvider();
  const { page } = await openPage(browser(), `${url}/history?q=lighthouse`, { expected: /401/, leadsTo: issuer });
  await page.getByRole("heading", { name: "This server asks who you are" }).waitFor();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("link", { name: "alice" }).click();
  await page.waitForURL(`${url}/history?q=lighthouse`);
  await page.getByRole("heading", { level: 1, name: "History" }).waitFor();
  expect(await page.locator(".key-form").count()).toBe(0);
  expect(await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])")).not.toContain("dossier_");
  const cookies = await page.context().cookies(url);
  expect(cookies.map(({ httpOnly, sameSite }) => ({ httpOnly, sameSite }))).toEqual([{ httpOnly: true, sameSite: "Strict" }]);
  await page.goto(`${url}/system`);
  await page.getByText("As alice@example.org, in the tenant default.").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "This server asks who you are" }).waitFor();
});

it("signs in with a key where the server asks for one, downloads by links, and signs out", async () => {
  const { url, keys } = await startService({});
  const { secret } = await keys.create({ name: "分析师", tenant: "acme", scopes: ["ask", "read"], expiresAt: null });
  const { page } = await openPage(browser(), url, { expected: /401/ });
  const field = page.getByRole("textbox", { name: "Key" });
  await field.fill("dossier_wrong");
  await page.keyboard.press("Enter");
  await page.locator(".key-form").getByText("A valid key is needed").waitFor();
  await field.fill(secret);
  await page.keyboard.press("Enter");
  await page.getByText("No model is connected").waitFor();
  await askInPage(page, QUESTION);
  await waitForState(page, "Done");
  await page.locator(".read-text .read-cite").first().click();
  expect(await page.getByRole("link", { name: "Open original" }).getAttribute("href")).toContain("/original");
  // Where no script can read it.
  expect(await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])")).not.toContain("dossier_");
  await page.goto(`${url}/system`);
  await page.getByText("With the key 分析师 of the tenant acme.").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await field.waitFor();
  await page.goto(`${url}/history`);
  await field.waitFor();
  expect(await page.locator(".history-run").count()).toBe(0);
});

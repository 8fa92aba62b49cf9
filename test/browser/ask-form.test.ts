import { expect, it } from "vitest";
import type { Run } from "../../src/domain/run.ts";
import { startService } from "../helpers/start-service.ts";
import { openPage, sharedBrowser } from "./browser.ts";
import { seriousFaults } from "./in-page.ts";
import { QUESTION, waitForState } from "./page-service.ts";

const browser = sharedBrowser();

it("refuses beside the field what it cannot send, keeps what was typed over views and a reload, and leaves bad files out", async () => {
  const service = await startService({ environment: { MAX_DOWNLOADS: "20" } });
  const { page } = await openPage(browser(), service.url, { expected: /415|400/ });
  const field = page.getByRole("textbox", { name: "Your question" });
  const send = page.getByRole("button", { name: "Ask", exact: true }).first();
  const count = async (): Promise<number> => ((await (await fetch(`${service.url}/research`)).json()) as { runs: unknown[] }).runs.length;
  await field.fill("\u200b\u2060");
  expect(await send.isDisabled()).toBe(true);

  const long = `${"背景。".repeat(3_000)}谁建了灯塔？`;
  await field.fill(long);
  await page.getByText(/^9,006 characters; at most 8,000 are taken/).waitFor();
  expect([await field.inputValue(), await send.isDisabled()]).toEqual([long, true]);

  await field.fill(QUESTION);
  await page.getByText("Options", { exact: true }).click();
  const seconds = page.getByRole("textbox", { name: "Seconds" });
  await seconds.fill("2 min");
  await page.getByText("This is no number.").waitFor();
  await page.getByRole("textbox", { name: "Documents" }).fill("21");
  await page.getByText("This server allows at most 20.").waitFor();
  await page.getByText("correct the limits in the options (Seconds, Documents)").waitFor();
  await field.focus();
  await page.keyboard.press("Enter");
  expect([await seriousFaults(page), await count()]).toEqual([[], 0]);
  await page.getByRole("textbox", { name: "Documents" }).fill("１２");

  await page.getByRole("link", { name: "System" }).click();
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.goBack();
  expect(await field.inputValue()).toBe(QUESTION);
  await page.reload();
  expect(await field.inputValue()).toBe(QUESTION);
  await page.getByText("correct the limits in the options (Seconds)").waitFor();
  await page.getByText("Options", { exact: true }).click();
  expect(await page.getByRole("textbox", { name: "Documents" }).inputValue()).toBe("１２");
  await seconds.fill("90");

  const file = (name: string, text: string) => ({ name, mimeType: "", buffer: Buffer.from(text) });
  const notes = "The lighthouse of Aldermoor was built in 1874 by Ada Penrose.";
  await page
    .getByLabel("Attach files")
    .first()
    .setInputFiles([file("a.exe", "x"), file("leer.txt", ""), file("fake.pdf", "no PDF")]);
  const leftOut = page.getByRole("list", { name: "2 are left out" });
  expect(await leftOut.getByRole("listitem").allInnerTexts()).toEqual([
    expect.stringMatching(/^a\.exe is of a type that is not read; PDF, DOCX/),
    expect.stringMatching(/^leer\.txt is empty/),
  ]);
  await field.focus();
  await page.keyboard.press("Enter");
  const notice = page.getByRole("alert");
  await notice.getByText("not what its name says").waitFor();
  expect(await notice.innerText()).toMatch(/fake\.pdf/);
  expect(await notice.innerText()).not.toMatch(/\/documents|unsupported_document/);
  await page.getByRole("list", { name: "3 are left out" }).waitFor();
  await page
    .getByLabel("Attach files")
    .first()
    .setInputFiles([file("notes.txt", notes)]);
  await page.getByRole("list", { name: "Attached" }).waitFor();
  await field.focus();
  await page.keyboard.press("Enter");
  await waitForState(page, "Done");
  const { runs } = (await (await fetch(`${service.url}/research`)).json()) as { runs: { id: string }[] };
  const run: unknown = await (await fetch(`${service.url}/research/${runs[0]?.id}`)).json();
  expect(run).toMatchObject({ request: { limits: { seconds: 90, downloads: 12 } } });
  // The report names what was left out, with the server's reasons.
  for (const name of ["a.exe: Files of this type", "leer.txt: It has no bytes", "fake.pdf: It is not what its name"])
    await page.locator(".read-missing li", { hasText: name }).waitFor();
  await page.getByRole("link", { name: "Ask", exact: true }).click();
  expect(await field.inputValue()).toBe("");
});

it("says in Chinese what the server refuses, with its own sentence folded, and why the last source stays ticked", async () => {
  const { url } = await startService({ environment: { SOURCES: "corpus" } });
  const { page } = await openPage(browser(), `${url}/replay?run=nope`, { locale: "zh-CN", expected: /404/ });
  const notice = page.getByRole("alert");
  await notice.getByText("不存在，可能已被删除。").waitFor();
  expect(await notice.innerText()).not.toMatch(/There is no|not_found/);
  await notice.getByText("服务器的原话").click();
  await notice.getByText("There is no run nope. (not_found)").waitFor();
  await page.goto(url);
  await page.getByText("选项", { exact: true }).click();
  await page.getByText("至少需要一个来源").waitFor();
  const last = page.getByRole("checkbox", { name: /至少需要一个来源/ });
  await last.click({ force: true });
  expect(await last.isChecked()).toBe(true);
});

it("prints at the keys only once the view is there", async () => {
  const service = await startService({});
  const { id } = (await service.ask({ question: QUESTION })) as Run;
  const { page } = await openPage(browser(), service.url);
  const gate = Promise.withResolvers<void>();
  await page.addInitScript("window.printed = []; window.print = () => window.printed.push(document.querySelector('main').innerText);");
  await page.route(`**/research/${id}`, async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.goto(`${service.url}/runs/${id}`);
  await page.locator("main .loading").waitFor();
  await page.keyboard.press("Control+p");
  expect(await page.evaluate("window.printed.length")).toBe(0);
  gate.resolve();
  await expect.poll(() => page.evaluate("window.printed.length")).toBe(1);
  expect(await page.evaluate("window.printed[0]")).toContain("Ada Penrose");
});

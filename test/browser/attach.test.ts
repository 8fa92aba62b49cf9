import { expect, it } from "vitest";
import type { Run } from "../../src/domain/run.ts";
import { makePdf } from "../documents/pdf/make-pdf.ts";
import { pdfOf } from "../helpers/made-files.ts";
import { startService } from "../helpers/start-service.ts";
import { openPage, sharedBrowser } from "./browser.ts";
import { askInPage, waitForState } from "./page-service.ts";

const browser = sharedBrowser();
const LAMP = pdfOf(["The lamp of the lighthouse of Tolmere burns colza oil and was first lit in 1874."]);
const KEEPER = pdfOf(["托尔米尔灯塔的守塔人名叫李明，他每天傍晚爬二百一十二级台阶。"], "chinese");

it("asks attached PDFs, shows what they say in the text beside the report, and asks them again in the thread", async () => {
  const { url } = await startService({});
  const { page } = await openPage(browser(), url);
  await page
    .getByLabel("Attach files")
    .first()
    .setInputFiles([
      { name: "lamp.pdf", mimeType: "application/pdf", buffer: Buffer.from(LAMP) },
      { name: "守塔人.pdf", mimeType: "application/pdf", buffer: Buffer.from(KEEPER) },
    ]);
  await page.getByRole("listitem").filter({ hasText: "守塔人.pdf" }).waitFor();
  await askInPage(page, "What does the lamp of the lighthouse of Tolmere burn?");
  await waitForState(page, "Done");
  await page.locator(".read-cite").first().click();
  await page.locator(".document-text mark", { hasText: "colza oil" }).waitFor();
  expect(new URL(page.url()).pathname).toMatch(/\/documents\/[0-9a-f]{64}$/);
  // The attached file itself, as it was sent.
  const original = page.getByRole("link", { name: "Open original" });
  const file = await page.request.get(new URL((await original.getAttribute("href")) ?? "", url).href);
  expect(file.headers()["content-type"]).toBe("application/pdf");
  expect(Buffer.compare(await file.body(), Buffer.from(LAMP))).toBe(0);
  await page.keyboard.press("Escape");
  await page.getByRole("textbox", { name: "Your follow-up question" }).fill("托尔米尔灯塔的守塔人叫什么名字？");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "托尔米尔灯塔的守塔人叫什么名字？" }).waitFor();
  await waitForState(page, "Done");
  await page.getByText("守塔人名叫李明").first().waitFor();
});

it("names beside the report the files that were not read, in the words of the API, and searches other sources only if told to", async () => {
  const service = await startService({});
  const { page } = await openPage(browser(), service.url);
  const scan = makePdf([{ texts: [], options: { picture: true } }]);
  expect(await page.getByLabel("Also search other sources").count()).toBe(0);
  await page
    .getByLabel("Attach files")
    .first()
    .setInputFiles([
      { name: "灯.pdf", mimeType: "application/pdf", buffer: Buffer.from(LAMP) },
      { name: "扫描件.pdf", mimeType: "application/pdf", buffer: scan },
      { name: "photo.png", mimeType: "image/png", buffer: Buffer.from("89504e470d0a1a0a", "hex") },
    ]);
  const others = page.getByLabel("Also search other sources");
  await others.waitFor();
  expect(await others.isChecked()).toBe(false);
  await askInPage(page, "What does the lamp of the lighthouse of Tolmere burn?");
  await waitForState(page, "Done");
  const { runs } = (await (await fetch(`${service.url}/research`)).json()) as { runs: Run[] };
  const ledger = runs[0]?.report?.ledger ?? [];
  const lines = ledger.flatMap(({ what, target, detail }) => (what === "file" ? [`${target}: ${detail}`] : []));
  expect(lines).toEqual([
    expect.stringMatching(/^扫描件\.pdf: The PDF is a scan/),
    expect.stringMatching(/^photo\.png: Files of this type are not read/),
  ]);
  for (const line of lines) await page.locator(".read-missing li", { hasText: line }).waitFor();
  expect(ledger.filter(({ what }) => what === "search").map(({ source }) => source)).toEqual(["documents", "corpus"]);
  const again = await openPage(browser(), `${service.url}/?from=${runs[0]?.id}`);
  await again.page.getByLabel("Also search other sources").check();
  await askInPage(again.page, "What does the lamp of the lighthouse burn?");
  await waitForState(again.page, "Done");
  const id = /\/runs\/([^/?]+)/.exec(again.page.url())?.[1];
  const next: unknown = await (await fetch(`${service.url}/research/${id}`)).json();
  expect(next).toMatchObject({ request: { otherSources: true } });
});

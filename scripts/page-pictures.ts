// Writes pictures of the page's views, in both languages and themes, at 1280 and 390 pixels: npm run page:pictures -- FOLDER [VIEW...]
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";
import { openBrowser, openProfile } from "./pages/browser.ts";
import { openServices, type Services } from "./pages/services.ts";
import { VIEWS, type View } from "./pages/views.ts";

const [folder, ...names] = process.argv.slice(2);
if (folder === undefined) throw new Error("Name the folder for the pictures.");
await mkdir(resolve(folder), { recursive: true });

const WIDTHS = [1_280, 390] as const;
const LOOKS = [
  { language: "en", theme: "light" },
  { language: "en", theme: "dark" },
  { language: "zh", theme: "light" },
  { language: "zh", theme: "dark" },
] as const;

const home = await mkdtemp(join(tmpdir(), "dossier-pictures-"));
const services = await openServices(home);
const browser = await openBrowser(home);
try {
  for (const view of VIEWS.filter(({ name }) => names.length === 0 || names.includes(name))) await draw(view, services);
} finally {
  await browser.close();
  await services.close();
  await rm(home, { recursive: true, force: true });
}

async function draw(view: View, opened: Services): Promise<void> {
  for (const { language, theme } of view.isPlain === true ? LOOKS.slice(0, 1) : LOOKS) {
    for (const width of WIDTHS) {
      const path = await view.prepare(opened);
      const { page, close } = await openProfile(browser, { language, theme, width });
      await page.goto(`${view.url(opened)}${path}`);
      await view.settle?.(page);
      await take(page, `${view.name}-${language}-${theme}-${width}`, view.isWindow !== true);
      await close();
      await opened.cancelRunning();
    }
  }
}

async function take(page: Page, name: string, fullPage: boolean): Promise<void> {
  if (fullPage) {
    // What is far below the window is not drawn before it is near, and may then be higher than was assumed.
    for (let before = 0, height = await heightOf(page); height !== before; [before, height] = [height, await heightOf(page)]) {
      await page.setViewportSize({ width: page.viewportSize()?.width ?? 1_280, height });
      await page.waitForTimeout(200);
    }
  }
  await page.waitForTimeout(400);
  await page.screenshot({ path: join(resolve(folder ?? ""), `${name}.png`), fullPage });
  console.log(name);
}

function heightOf(page: Page): Promise<number> {
  return page.evaluate<number>("document.documentElement.scrollHeight");
}

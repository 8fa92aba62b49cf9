import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import chromium from "@sparticuz/chromium";
import { type Browser, type Page, chromium as playwright } from "playwright-core";
import { FONTS } from "../../src/reports/fonts.ts";

const QUIET = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run", "--disable-quic"];

/** A Chromium that has the fonts of our reports, because the machine may lack Chinese letters. `home` is a folder for its font list. */
export async function openBrowser(home: string): Promise<Browser> {
  // In a single process the browser ends with its first closed profile.
  const args = [...chromium.args.filter((argument) => argument !== "--single-process"), ...QUIET];
  const executablePath = await chromium.executablePath();
  return playwright.launch({ executablePath, args, headless: true, env: { FONTCONFIG_FILE: await fontList(home) } });
}

/** Writes a configuration of fontconfig with our fonts only, so that the pictures of every machine are alike. */
async function fontList(home: string): Promise<string> {
  const folders = new Set(Object.values(FONTS).flatMap(({ files }) => Object.values(files).map(dirname)));
  const rules = [...folders].map((folder) => `<dir>${folder}</dir>`).join("");
  const path = join(home, "fonts.conf");
  await writeFile(path, `<?xml version="1.0"?><fontconfig>${rules}<cachedir>${join(home, "fonts")}</cachedir></fontconfig>`);
  return path;
}

export interface Look {
  readonly language: "en" | "zh";
  readonly theme: "light" | "dark";
  readonly width: number;
}

/** A page in a fresh profile. */
export async function openProfile(browser: Browser, { language, theme, width }: Look): Promise<{ page: Page; close: () => Promise<void> }> {
  const profile = await browser.newContext({
    ...{ locale: language === "zh" ? "zh-CN" : "en-US", colorScheme: theme, reducedMotion: "reduce" },
    ...{ viewport: { width, height: 900 } },
  });
  const page = await profile.newPage();
  return { page, close: () => profile.close() };
}

import { readFile } from "node:fs/promises";
import chromium from "@sparticuz/chromium";
import { type Browser, type Page, chromium as playwright } from "playwright-core";
import { FONTS } from "../../src/reports/fonts.ts";

const QUIET = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run", "--disable-quic"];

export async function openBrowser(): Promise<Browser> {
  // In a single process the browser ends with its first closed profile.
  const args = [...chromium.args.filter((argument) => argument !== "--single-process"), ...QUIET];
  return playwright.launch({ executablePath: await chromium.executablePath(), args, headless: true });
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
    ...{ viewport: { width, height: 900 }, bypassCSP: true },
  });
  const page = await profile.newPage();
  return { page, close: () => profile.close() };
}

/** Adds the fonts of our reports, because this browser may lack Chinese letters. */
export async function addFonts(page: Page): Promise<void> {
  await page.addStyleTag({ content: await fontFaces() });
  await page.evaluate("Promise.all(['400', '700'].map((weight) => document.fonts.load(weight + ' 16px Pictured', '灯')))");
}

let faces: Promise<string> | null = null;

function fontFaces(): Promise<string> {
  faces ??= Promise.all(
    Object.values(FONTS).flatMap(({ files }) =>
      (["normal", "bold"] as const).map(async (face) => {
        const data = (await readFile(files[face])).toString("base64");
        const weight = face === "bold" ? 700 : 400;
        return `@font-face { font-family: "Pictured"; font-weight: ${weight}; src: url(data:font/ttf;base64,${data}); }`;
      }),
    ),
  ).then((all) => `${all.at(-2)}${all.at(-1)} :root { --font: system-ui, "Noto Sans", "Pictured", sans-serif !important; }`);
  return faces;
}

import chromium from "@sparticuz/chromium";
import { type Browser, type BrowserContextOptions, type Page, chromium as playwright } from "playwright-core";
import { beforeAll, expect, onTestFinished } from "vitest";

const QUIET = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run", "--disable-quic"];

let launched: Promise<Browser> | null = null;

async function launch(): Promise<Browser> {
  // In a single process the browser ends with its first closed profile.
  const args = [...chromium.args.filter((argument) => argument !== "--single-process"), ...QUIET];
  return playwright.launch({ executablePath: await chromium.executablePath(), args, headless: true });
}

/** One Chromium for all files that a worker runs; it ends with the worker. Each page has a profile of its own. Call it at the top of the file. */
export function sharedBrowser(): () => Browser {
  let browser: Browser | null = null;
  beforeAll(async () => {
    if ((await launched)?.isConnected() !== true) launched = launch();
    browser = await launched;
  });
  return () => {
    if (browser === null) throw new Error("The browser is open only while tests run.");
    return browser;
  };
}

export interface WatchedPage {
  readonly page: Page;
  /** What the browser requested from other origins. */
  readonly foreign: string[];
  /** Messages of the console and uncaught errors. A violation of the policy is one. */
  readonly complaints: string[];
}

/** A page in a fresh profile; closed with the test, which fails if the page asked another origin for anything or complained. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions & {
    /** Complaints that the test expects. */
    readonly expected?: RegExp;
    /** Another origin to which the page may lead. */
    readonly leadsTo?: string;
  } = {},
): Promise<WatchedPage> {
  const { expected = null, leadsTo, ...context } = options;
  const profile = await browser.newContext({
    locale: "en-US",
    reducedMotion: "reduce",
    viewport: { width: 1280, height: 900 },
    ...context,
  });
  const page = await profile.newPage();
  page.setDefaultTimeout(100_000);
  const watched: WatchedPage = { page, foreign: [], complaints: [] };
  const own = [new URL(url).origin, leadsTo];
  page.on("request", (request) => {
    const address = request.url();
    if (!address.startsWith("data:") && !address.startsWith("blob:") && !own.includes(new URL(address).origin))
      watched.foreign.push(address);
  });
  page.on(
    "console",
    (message) => ["error", "warning"].includes(message.type()) && watched.complaints.push(`${message.text()} (${message.location().url})`),
  );
  page.on("pageerror", (error) => watched.complaints.push(String(error)));
  onTestFinished(async () => {
    await profile.close();
    expect(watched.foreign).toEqual([]);
    expect(watched.complaints.filter((text) => expected?.test(text) !== true)).toEqual([]);
  });
  await page.goto(url);
  return watched;
}

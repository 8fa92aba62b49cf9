import type { Page } from "playwright-core";
import type { Services } from "./services.ts";

export interface View {
  readonly name: string;
  readonly url: (services: Services) => string;
  /** Brings about what the view shows; returns its path. */
  readonly prepare: (services: Services) => Promise<string>;
  /** Waits until everything is there, and opens what should be seen. */
  readonly settle?: (page: Page) => Promise<void>;
}

const QUESTION = "Who built the lighthouse of Aldermoor?";
const keyless = ({ keyless: url }: Services): string => url;
const modelled = ({ modelled: url }: Services): string => url;
const runPath = async (id: Promise<string>): Promise<string> => `/runs/${await id}`;
const openAll = async (page: Page): Promise<void> => {
  for (let depth = 0; depth < 3; depth += 1) {
    await page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true");
    await page.waitForTimeout(200);
  }
};

export const VIEWS: readonly View[] = [
  { name: "ask", url: keyless, prepare: async () => "/", settle: (page) => page.locator(".notice").waitFor() },
  {
    name: "ask-options",
    url: modelled,
    prepare: async () => "/",
    settle: async (page) => {
      await page.locator(".ask-options > summary").click();
      await page.locator(".ask-kinds").waitFor();
      await page.waitForTimeout(600);
    },
  },
  {
    name: "watch",
    url: modelled,
    prepare: (services) => runPath(services.start(services.modelled, { question: `${QUESTION} Write slowly.` }, "running")),
    settle: async (page) => {
      await page.locator(".step").nth(3).waitFor();
      await page.waitForTimeout(500);
      await openAll(page);
    },
  },
  {
    name: "plan",
    url: modelled,
    prepare: (services) =>
      runPath(services.start(services.modelled, { question: `${QUESTION} 港墙呢？`, graph: "research", planApproval: true }, "waiting")),
    settle: (page) => page.locator(".pending-todos").waitFor(),
  },
  {
    name: "question",
    url: modelled,
    prepare: (services) =>
      runPath(services.start(services.modelled, { question: "How tall is it, and which one?", graph: "agent" }, "waiting")),
    settle: (page) => page.locator(".pending-card").waitFor(),
  },
  {
    name: "report",
    url: keyless,
    prepare: (services) => runPath(services.start(services.keyless, { question: QUESTION }, "ended")),
    settle: async (page) => {
      await page.locator(".run-details").waitFor();
      await openAll(page);
      await page.waitForTimeout(500);
    },
  },
  {
    name: "research",
    url: modelled,
    prepare: (services) =>
      runPath(services.start(services.modelled, { question: `${QUESTION} ${"港墙呢？"}`, graph: "research" }, "ended")),
    settle: async (page) => {
      await page.locator(".run-details").waitFor();
      await openAll(page);
    },
  },
  { name: "system", url: modelled, prepare: async () => "/system", settle: (page) => page.locator(".system-cards").waitFor() },
];

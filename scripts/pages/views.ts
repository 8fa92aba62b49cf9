import type { Page } from "playwright-core";
import { dropFile } from "../../test/browser/drop-file.ts";
import { componentEvents, madeRecording } from "../../test/browser/made-recording.ts";
import { COMPLETE_COMPONENTS } from "../../test/browser/shown-components.ts";
import type { Services } from "./services.ts";

export interface View {
  readonly name: string;
  readonly url: (services: Services) => string;
  /** Brings about what the view shows; returns its path. */
  readonly prepare: (services: Services) => Promise<string>;
  /** Waits until everything is there, and opens what should be seen. */
  readonly settle?: (page: Page) => Promise<void>;
  /** What lies over the page is drawn without what is below the window. */
  readonly isWindow?: boolean;
  /** Drawn in English and in light colors only. */
  readonly isPlain?: boolean;
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

/** The draft of a long report after a share of what is written of it, and the report. */
const LONG_VIEWS = [0.02, 0.2, 0.45, 0.7, 0.98].map((share, at): View => {
  return {
    ...{ name: `draft-${at + 1}`, url: () => "", isPlain: true },
    async prepare(services) {
      const { url, id, draft } = await services.long();
      return `${url}/replay?run=${id}&at=${draft[Math.floor(draft.length * share)]}`;
    },
    settle: (page) => page.locator(".draft").first().waitFor(),
  };
});

export const VIEWS: readonly View[] = [
  ...LONG_VIEWS,
  {
    ...{ name: "report-long", url: () => "", isPlain: true },
    async prepare(services) {
      const { url, id } = await services.long();
      return `${url}/runs/${id}`;
    },
    settle: (page) => page.locator(".read-text").waitFor(),
  },
  { name: "ask", url: keyless, prepare: async () => "/", settle: (page) => page.locator(".notice, .ask-examples").nth(1).waitFor() },
  {
    name: "ask-options",
    url: modelled,
    prepare: async () => "/",
    settle: async (page) => {
      await page.locator(".ask-options > summary").click();
      await page.locator(".ask-kinds").waitFor();
      await page.getByRole("radio", { name: /^(?:Team|团队)/ }).check();
      await page.locator(".ask-roles > summary").click();
      await page.waitForTimeout(600);
    },
  },
  {
    name: "watch",
    url: modelled,
    prepare: (services) => runPath(services.start(services.modelled, { question: `${QUESTION} Write slowly.`, graph: "agent" }, "running")),
    settle: async (page) => {
      await page.locator(".draft").waitFor();
      await page.waitForTimeout(1_500);
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
      await page.locator(".read-text").waitFor();
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
      await page.locator(".read-text").waitFor();
      await openAll(page);
    },
  },
  {
    name: "document",
    isWindow: true,
    url: keyless,
    prepare: (services) => runPath(services.start(services.keyless, { question: QUESTION }, "ended")),
    settle: async (page) => {
      const cite = page.locator(".read-text .read-cite").first();
      await cite.waitFor();
      // On a telephone the first press shows the card, here the address is opened at once.
      await page.goto(new URL((await cite.getAttribute("href")) ?? "", page.url()).href);
      await page.locator(".document-text mark").waitFor();
      await page.getByRole("searchbox").last().fill("1874");
      await page.locator(".document-found").waitFor();
    },
  },
  { name: "system", url: modelled, prepare: async () => "/system", settle: (page) => page.locator(".system-cards").waitFor() },
  {
    name: "history",
    url: keyless,
    prepare: async (services) => {
      for (const question of [QUESTION, "奥尔德穆尔灯塔是谁设计的？"]) {
        await services.start(services.keyless, { question, threadId: "pictured" }, "ended");
      }
      return "/history";
    },
    settle: (page) => page.locator(".history-run").nth(1).waitFor(),
  },
  {
    name: "compare",
    url: keyless,
    prepare: async (services) => {
      const left = await services.start(services.keyless, { question: QUESTION }, "ended");
      const right = await services.start(
        services.keyless,
        { question: "Who designed the harbour wall and the lighthouse of Aldermoor?" },
        "ended",
      );
      return `/compare?left=${left}&right=${right}`;
    },
    settle: (page) => page.locator(".compare-figures").waitFor(),
  },
  {
    name: "replay",
    url: keyless,
    prepare: async (services) => `/replay?run=${await services.start(services.keyless, { question: QUESTION }, "ended")}&at=14`,
    settle: (page) => page.locator(".step").first().waitFor(),
  },
  {
    name: "replay-end",
    url: keyless,
    prepare: async (services) => `/replay?run=${await services.start(services.keyless, { question: QUESTION }, "ended")}&at=999`,
    settle: (page) => page.locator(".read-text").waitFor(),
  },
  { name: "recording", url: keyless, prepare: async () => "/replay", settle: (page) => page.locator(".replay-file").waitFor() },
  {
    name: "components",
    url: keyless,
    prepare: async () => "/replay",
    settle: async (page) => {
      const shown = COMPLETE_COMPONENTS.map(([component, props]) => ({ component, props }));
      await page.locator(".replay-place").waitFor();
      await dropFile(page, ".replay-place", "components.ndjson", madeRecording(componentEvents(shown)));
      await page.getByRole("slider").fill(String(3 + shown.length));
      await page.locator(".step").first().waitFor();
      await openAll(page);
    },
  },
];

import type { Browser, Page } from "playwright-core";

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Processor time of the thread in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/**
 * Returns the processor time in milliseconds of the longest task of the page's main thread during the work, from the browser's own trace.
 * Time in which other programs have the processor does not count. One browser can trace one page at a time.
 */
export async function longestTask(browser: Browser, page: Page, work: () => Promise<void>): Promise<number> {
  await browser.startTracing(page, { categories: ["toplevel"] });
  let trace: Buffer;
  try {
    await work();
  } finally {
    trace = await browser.stopTracing();
  }
  const events: TraceEvent[] = JSON.parse(trace.toString()).traceEvents;
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid}/${tid}`;
  const main = new Set(events.filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain").map(threadOf));
  const tasks = events.filter((event) => event.name === "ThreadControllerImpl::RunTask" && main.has(threadOf(event)));
  if (tasks.length === 0) throw new Error("The trace of the browser holds no task of the page.");
  return Math.round(tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur), 0) / 1_000);
}

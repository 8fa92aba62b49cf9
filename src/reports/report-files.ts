import { hash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { LRUCache } from "lru-cache";
import PQueue from "p-queue";
import type { ReportFiles } from "../domain/ports/run-service.ts";
import { DossierError } from "../errors.ts";
import { limitTime } from "../util/abort.ts";
import { toBibtex } from "./bibtex.ts";
import { toHtml, toHtmlFragment } from "./html/render-html.ts";
import { CONTENT_SECURITY_POLICY } from "./html/style.ts";
import { toMarkdown } from "./markdown.ts";
import type { RenderingAnswer, RenderingTask } from "./rendering-thread.ts";
import { viewOf } from "./view/build-view.ts";

const MEGABYTE = 2 ** 20;
const THREAD = new URL("./rendering-thread.ts", import.meta.url);
const TIMEOUT_MS = 60_000;
const MAX_HEAP_MEGABYTES = 768;
const MAX_WAITING = 50;

/**
 * Renders the reports of runs, one PDF or DOCX at a time, each in a new thread. The docx library counts ids per thread, so a second file
 * from the same thread would have other bytes.
 * @throws DossierError from `render`: `timeout`, `queue_full`, `draining`, `internal`, `cancelled` or the reason of its signal
 */
export function createReportFiles(options: { readonly program: string; readonly timeoutMs?: number }): ReportFiles {
  const { program, timeoutMs = TIMEOUT_MS } = options;
  const queue = new PQueue({ concurrency: 1 });
  const closing = new AbortController();
  let isDraining = false;
  const cache = new LRUCache<string, Uint8Array>({ max: 100, maxSize: 32 * MEGABYTE, sizeCalculation: ({ byteLength }) => byteLength });

  async function renderBinary(task: Omit<RenderingTask, "program">, signal: AbortSignal): Promise<Uint8Array> {
    const { run, format, appendix } = task;
    const key = hash("sha256", JSON.stringify([format, appendix, run]));
    if (!cache.has(key) && queue.size >= MAX_WAITING)
      throw new DossierError("queue_full", `${MAX_WAITING} files are waiting to be rendered. Try again in a minute.`);
    const ending = AbortSignal.any([signal, closing.signal]);
    const render = async (): Promise<Uint8Array> => {
      // A request that was ahead in the queue may have rendered the same file.
      const rendered = cache.get(key);
      if (isDraining && rendered === undefined) throw stopping();
      const bytes = rendered ?? (await renderInThread({ ...task, program }, timeoutMs, ending));
      cache.set(key, bytes);
      return bytes;
    };
    return queue.add(render, { signal: ending }).catch((error: unknown) => {
      throw ending.aborted ? interruption(ending, format) : error;
    });
  }

  return {
    async render(run, format, signal, { appendix = true, fragment = false } = {}) {
      if (format === "pdf" || format === "docx") return renderBinary({ run, format, appendix }, signal);
      const view = viewOf(run, program, appendix);
      const text = {
        md: () => toMarkdown(view, "footnotes"),
        html: fragment ? toHtmlFragment : toHtml,
        bib: () => toBibtex(view, run.report),
      }[format](view);
      return new TextEncoder().encode(text);
    },
    htmlPolicy: CONTENT_SECURITY_POLICY,
    async drain(timeoutMs) {
      isDraining = true;
      const limit = new AbortController();
      await Promise.race([queue.onIdle(), pause(timeoutMs, undefined, { signal: limit.signal }).catch(() => undefined)]);
      limit.abort();
    },
    async close() {
      closing.abort(stopping());
      await queue.onIdle();
    },
  };
}

function stopping(): DossierError {
  return new DossierError("draining", "The file was not rendered: the service is shutting down. Try again later.");
}

async function renderInThread(task: RenderingTask, timeoutMs: number, signal: AbortSignal): Promise<Uint8Array> {
  if (signal.aborted) throw interruption(signal, task.format);
  const thread = new Worker(THREAD, { workerData: task, env: {}, resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MEGABYTES } });
  const tooSlow = `Rendering the ${task.format} took longer than ${timeoutMs / 1_000} s. The report is available as md, html and json.`;
  using limit = limitTime(timeoutMs, signal);
  try {
    const answer = await new Promise<RenderingAnswer>((resolve, reject) => {
      thread.once("message", resolve);
      thread.once("error", reject);
      thread.once("exit", () => reject(new DossierError("internal", `The ${task.format} was not rendered: its thread crashed.`)));
      const stop = (): void => reject(signal.aborted ? interruption(signal, task.format) : new DossierError("timeout", tooSlow));
      limit.signal.addEventListener("abort", stop, { once: true });
    });
    if ("bytes" in answer) return answer.bytes;
    throw new DossierError("internal", `The ${task.format} could not be rendered: ${answer.failure}`);
  } catch (error) {
    if (error instanceof DossierError) throw error;
    throw new DossierError("internal", `The ${task.format} could not be rendered.`, { cause: error });
  } finally {
    await thread.terminate();
  }
}

/** Returns the reason of the aborted `signal` if it is a DossierError, otherwise (a client disconnected) a `cancelled` error. */
function interruption({ reason }: AbortSignal, format: RenderingTask["format"]): DossierError {
  return reason instanceof DossierError ? reason : new DossierError("cancelled", `The ${format} was cancelled before it was rendered.`);
}

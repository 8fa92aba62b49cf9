import { availableParallelism } from "node:os";
import PQueue from "p-queue";
import { z } from "zod";
import { type ExtractedDocument, ExtractedDocumentSchema } from "../../domain/document.ts";
import type { DocumentExtractor } from "../../domain/ports/sources.ts";
import { DossierError, isErrorCode } from "../../errors.ts";
import { unlessAborted } from "../../util/abort.ts";
import { type Outcome, TaskProcess } from "./child-process.ts";

const MEGABYTE = 2 ** 20;
const MAX_PROCESSES = 4;

const DEFAULTS = {
  entry: new URL("./reading-process.ts", import.meta.url),
  timeoutMs: 10_000,
  maxResidentBytes: 300 * MEGABYTE,
  size: Math.min(availableParallelism(), MAX_PROCESSES),
  idleMs: 30_000,
  /** A process with more resident memory is not reused, because WebAssembly never frees memory. */
  maxIdleBytes: 200 * MEGABYTE,
};
type PoolOptions = Readonly<typeof DEFAULTS>;

/** A process that read a hostile document is not trusted, so its answer is validated. */
const AnswerSchema = z.union([
  z.object({ result: ExtractedDocumentSchema }),
  z.object({ failure: z.object({ code: z.string(), message: z.string() }), spent: z.boolean() }),
]);
type CheckedAnswer = ReturnType<typeof AnswerSchema.safeParse>;
type CheckedOutcome = Outcome<CheckedAnswer>;

const ABORTED: CheckedOutcome = { ending: { kind: "aborted" }, ms: 0, peakBytes: 0 };

function createProcessPool(options: PoolOptions) {
  const queue = new PQueue({ concurrency: options.size });
  const idle = new Map<TaskProcess, NodeJS.Timeout>();
  const closing = new AbortController();

  function take(): TaskProcess {
    for (const [child, timer] of [...idle].reverse()) {
      clearTimeout(timer);
      idle.delete(child);
      if (child.usable) return child;
    }
    return new TaskProcess(options.entry, options);
  }

  function keepIdle(child: TaskProcess): void {
    const timer = setTimeout(() => {
      idle.delete(child);
      void child.kill();
    }, options.idleMs);
    idle.set(child, timer.unref());
  }

  async function perform(task: object, signal: AbortSignal): Promise<CheckedOutcome> {
    const ending = AbortSignal.any([signal, closing.signal]);
    if (ending.aborted) return ABORTED;
    const child = take();
    const outcome = await child.perform(task, options, ending);
    if (outcome.ending.kind !== "answered") return { ...outcome, ending: outcome.ending };
    const answer = AnswerSchema.safeParse(outcome.ending.answer);
    const isReusable = answer.success && !("spent" in answer.data && answer.data.spent);
    if (!closing.signal.aborted && outcome.peakBytes <= options.maxIdleBytes && isReusable) keepIdle(child);
    else await child.kill();
    return { ...outcome, ending: { kind: "answered", answer } };
  }

  return {
    async run(task: object, signal: AbortSignal): Promise<CheckedOutcome> {
      const outcome = queue.add(() => perform(task, signal));
      return await unlessAborted(outcome, signal).catch((error) => (signal.aborted ? ABORTED : Promise.reject(error)));
    },
    async close(): Promise<void> {
      closing.abort(new DossierError("cancelled", "Reading the document was cancelled, because the service is shutting down."));
      const children = [...idle.keys()];
      for (const timer of idle.values()) clearTimeout(timer);
      idle.clear();
      await Promise.all([queue.onIdle(), ...children.map((child) => child.kill())]);
    },
  };
}

export interface IsolatedExtractor extends DocumentExtractor {
  /** Ends all processes. Running calls of `extract` fail with `cancelled`. */
  close(): Promise<void>;
}

export interface IsolationOptions extends Partial<PoolOptions> {
  /** Called after every document. `peakBytes` is the highest sampled memory of the process. */
  readonly onRead?: (usage: { readonly url: string; readonly ms: number; readonly peakBytes: number }) => void;
}

/**
 * Reads documents in child processes, so that a hostile document cannot crash or block this process.
 * @throws DossierError from `extract`: as `createExtractor`, and `timeout`, `document_too_large` (memory), `internal` or `cancelled`
 */
export function createIsolatedExtractor({ onRead = () => {}, ...options }: IsolationOptions = {}): IsolatedExtractor {
  const limits = { ...DEFAULTS, ...options };
  const pool = createProcessPool(limits);
  return {
    async extract(input, signal = new AbortController().signal) {
      const outcome = await pool.run(input, signal);
      onRead({ url: input.url, ms: outcome.ms, peakBytes: outcome.peakBytes });
      return documentOf(outcome, limits, signal);
    },
    close: () => pool.close(),
  };
}

function documentOf({ ending }: CheckedOutcome, limits: PoolOptions, signal: AbortSignal): ExtractedDocument {
  if (ending.kind === "answered") return documentOfAnswer(ending.answer);
  if (ending.kind === "aborted") throw abortError(signal);
  if (ending.kind === "timeout") {
    throw new DossierError("timeout", `Reading the document was stopped, because it took longer than ${limits.timeoutMs / 1_000} s.`);
  }
  // SIGABRT: the heap limit was reached. SIGKILL: the system had no memory left.
  if (ending.kind === "exited" && ending.how !== "SIGABRT" && ending.how !== "SIGKILL") {
    throw new DossierError("unreadable", `The document crashed the process that read it (${ending.how}).`);
  }
  const megabytes = Math.floor(limits.maxResidentBytes / MEGABYTE);
  throw new DossierError("document_too_large", `Reading the document was stopped, because it took more than ${megabytes} MB of memory.`);
}

function documentOfAnswer(parsed: CheckedAnswer): ExtractedDocument {
  if (!parsed.success)
    throw new DossierError("unreadable", "The document was not read: the process that read it sent an invalid answer.", {
      cause: parsed.error,
    });
  if ("result" in parsed.data) return parsed.data.result;
  const { code, message } = parsed.data.failure;
  throw new DossierError(isErrorCode(code) ? code : "unreadable", message);
}

function abortError({ reason }: AbortSignal): DossierError {
  if (reason instanceof DossierError) return reason;
  if (reason?.name === "TimeoutError") return new DossierError("timeout", "There was no time left to read the document.");
  return new DossierError("cancelled", "Reading the document was cancelled.");
}

import { createInterface } from "node:readline";
import type { AnswerRequest } from "../domain/request.ts";
import type { Pending } from "../domain/run.ts";

/** The user at standard input. */
export interface User {
  /**
   * The next line as an answer; null at the end of the input, or when `signal` is aborted: nobody is there to answer. A question
   * takes the line as it is; a plan or a confirmation takes y or yes, and anything else as the reason against it.
   */
  answer(pending: Pending, signal: AbortSignal): Promise<AnswerRequest | null>;
  close(): void;
}

/** Reads nothing from standard input before the first question. */
export function openUser(): User {
  let input: ReturnType<typeof createInterface> | null = null;
  let lines: AsyncIterator<string> | null = null;
  return {
    async answer(pending, signal) {
      input ??= createInterface({ input: process.stdin, terminal: false });
      // One reader for all questions: a second one would miss the lines that the first has taken in.
      lines ??= input[Symbol.asyncIterator]();
      process.stderr.write(pending.kind === "question" ? "answer> " : "y, or what is against it> ");
      const line = await Promise.race([lines.next(), aborted(signal)]);
      return line === null || line.done ? null : answerTo(pending, line.value);
    },
    close: () => input?.close(),
  };
}

function aborted(signal: AbortSignal): Promise<null> {
  if (signal.aborted) return Promise.resolve(null);
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(null), { once: true }));
}

function answerTo({ id, kind }: Pending, line: string): AnswerRequest {
  if (kind === "question") return { pendingId: id, answer: line };
  const agreed = /^(y|yes|是|好|同意)$/i.test(line.trim());
  return agreed ? { pendingId: id, approve: true } : { pendingId: id, approve: false, reason: line.trim() };
}

import { createInterface } from "node:readline";
import type { AnswerRequest } from "../domain/request.ts";
import type { Pending } from "../domain/run.ts";
import { notUnderstood, promptFor, readAnswer } from "./read-answer.ts";
import { say } from "./say.ts";

/** The user at standard input. */
export interface User {
  /**
   * The next line that is an answer (see `readAnswer`); null at the end of the input, or when `signal` is aborted: nobody is there to
   * answer.
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
      for (;;) {
        process.stderr.write(promptFor(pending));
        const line = await Promise.race([lines.next(), aborted(signal)]);
        if (line === null || line.done) return null;
        const given = readAnswer(pending, line.value);
        if (given !== null) return given;
        say(notUnderstood(pending));
      }
    },
    close: () => input?.close(),
  };
}

function aborted(signal: AbortSignal): Promise<null> {
  if (signal.aborted) return Promise.resolve(null);
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(null), { once: true }));
}

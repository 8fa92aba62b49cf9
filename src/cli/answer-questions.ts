import { createInterface } from "node:readline/promises";
import type { AnswerRequest } from "../domain/request.ts";
import type { Pending } from "../domain/run.ts";

/**
 * What the user says to each question of a waiting run, read from standard input line by line; null at its end, or when `signal` is
 * aborted: nobody is there to answer. A question takes the line as it is; a plan or a confirmation takes y or yes, and
 * anything else as the reason against it.
 */
export async function askUser(pending: Pending, signal: AbortSignal): Promise<AnswerRequest | null> {
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: process.stdin.isTTY });
  const ended = new Promise<null>((resolve) => lines.once("close", () => resolve(null)));
  try {
    const prompt = pending.kind === "question" ? "answer> " : "y, or what is against it> ";
    const line = await Promise.race([lines.question(prompt, { signal }), ended]);
    return line === null ? null : answerTo(pending, line);
  } catch {
    return null;
  } finally {
    lines.close();
  }
}

function answerTo({ id, kind }: Pending, line: string): AnswerRequest {
  if (kind === "question") return { pendingId: id, answer: line };
  return /^(y|yes|是|好|同意)$/i.test(line.trim())
    ? { pendingId: id, approve: true }
    : { pendingId: id, approve: false, reason: line.trim() };
}

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const SRC = join(import.meta.dirname, "../../src");
/** Settings of LangGraph and LangChain that retry a node after a delay. */
const RETRIES = /\b(retryPolicy|withRetry)\b/;
/** Calls that let time pass outside an effect. Yielding for one turn of the event loop (`setImmediate`) is no pause. */
const TIMERS = /\b(setTimeout|setInterval|scheduler\.(wait|yield))\b/;

/** Returns the files of `folders` whose code matches. */
function matching(folders: string, pattern: RegExp): string[] {
  const files = globSync(`${folders}/**/*.ts`, { cwd: SRC });
  expect(files.length).toBeGreaterThan(5);
  return files.filter((file) => pattern.test(readFileSync(join(SRC, file), "utf8")));
}

/*
 * A recovery without progress for 300 ms counts as a difference (src/journal/release-order.ts). So every pause must be inside an effect,
 * which the journal records: a source is retried within its effect, never by executing its node again. LangGraph's own retries would be
 * invisible to the journal: a failed node looks the same with and without a pending retry.
 */
it("retries no node after a delay", () => {
  expect(matching("*", RETRIES)).toEqual([]);
});

it("has no node, graph or analyst that pauses outside an effect", () => {
  expect(matching("{nodes,graphs,analyst}", TIMERS)).toEqual([]);
});

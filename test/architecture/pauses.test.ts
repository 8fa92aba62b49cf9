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
 * A recovery in which nothing moves for 300 ms counts as a difference (src/journal/release-order.ts), so whatever pauses must be an
 * effect, which the journal knows of: a source is asked again within its effect, never by executing its node again. LangGraph says
 * nothing of a back-off to the journal, and a node that failed looks the same whether it will be tried again or not.
 */
it("retries no node after a delay", () => {
  expect(matching("*", RETRIES)).toEqual([]);
});

it("has no node, graph or analyst that pauses outside an effect", () => {
  expect(matching("{nodes,graphs,analyst}", TIMERS)).toEqual([]);
});

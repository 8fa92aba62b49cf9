import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const SRC = join(import.meta.dirname, "../../src");
/** LangGraph's and LangChain's ways to try a node again after a back-off. */
const RETRIES = /\b(retryPolicy|withRetry)\b/;
/** Time that passes in a node and in no effect. Giving way for one turn of the event loop (`setImmediate`) is no pause. */
const TIMERS = /\b(setTimeout|setInterval|scheduler\.(wait|yield))\b/;

/** The files of `folders` whose code matches. */
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
it("has no node that is tried again after a back-off", () => {
  expect(matching("*", RETRIES)).toEqual([]);
});

it("has no node, graph or analyst that pauses outside of an effect", () => {
  expect(matching("{nodes,graphs,analyst}", TIMERS)).toEqual([]);
});

import { expect, it } from "vitest";
import type { Effects } from "../../../src/domain/ports/effects.ts";
import type { SearchQuery } from "../../../src/domain/ports/sources.ts";
import { DossierError } from "../../../src/errors.ts";
import { NO_REPLIES } from "../../../src/journal/completions.ts";
import { type SearchResult, searchOnce } from "../../../src/nodes/shared/shared-searches.ts";
import { jumpingClock } from "../../helpers/jumping-clock.ts";
import { foundPage } from "../../helpers/page-source.ts";
import { plainEffects } from "../../helpers/plain-effects.ts";
import { turns } from "../../helpers/turns.ts";

const QUERY: SearchQuery = { text: "固态电池 solid-state", language: "zh", limit: 10, written: true };

/** Effects with the results of real ones. Their time is over when `late` aborts. */
function performingEffects(now?: () => number, late = new AbortController().signal): Effects {
  return { ...plainEffects(now && { now }), perform: ({ live }) => live(late, NO_REPLIES) };
}

const found = (snippet = ""): SearchResult => ({ hits: [{ ...foundPage("pages", "http://127.0.0.1:9/"), snippet }], gaps: null });

/** Makes the same search of several parts of a run. `outcomes` says for each call of the source, which takes 100 ms, whether it succeeds. */
async function shareAmong(parts: number, outcomes: readonly boolean[]) {
  const clock = jumpingClock();
  const effects = performingEffects(clock.now);
  const calls: number[] = [];
  let open = 0;
  let most = 0;
  const search = async (timeoutMs: number): Promise<SearchResult> => {
    const succeeds = outcomes[calls.push(timeoutMs) - 1] ?? false;
    most = Math.max(most, ++open);
    await turns(5);
    clock.jump(100);
    open -= 1;
    if (!succeeds) throw new DossierError("unreachable", "It is down.");
    return found();
  };
  const once = () => searchOnce({ source: "pages", query: QUERY }, { effects, timeoutMs: 100_000 }, search);
  const ended = await Promise.allSettled(Array.from({ length: parts }, once));
  const outcomesOf = ended.map((one) => (one.status === "rejected" ? "failed" : one.value.isReused ? "reused" : "found"));
  return { calls, most, outcomes: outcomesOf };
}

it("after a failed search one of those who waited asks again, in the time that is left, and the others take its result", async () => {
  const { calls, most, outcomes } = await shareAmong(4, [false, true]);
  expect(outcomes).toEqual(["failed", "found", "reused", "reused"]);
  expect(calls).toEqual([100_000, 99_900]);
  expect(most).toBe(1);
});

it("who waits in vain fails at the end of its time, and does not ask again", async () => {
  const late = new AbortController();
  const effects = performingEffects(undefined, late.signal);
  const inVain = Promise.withResolvers<void>();
  let calls = 0;
  const search = async (): Promise<SearchResult> => {
    calls += 1;
    await inVain.promise;
    return found();
  };
  const once = (timeoutMs: number) => searchOnce({ source: "pages", query: QUERY }, { effects, timeoutMs }, search);
  const first = once(100_000);
  const second = once(50);
  late.abort();
  await expect(second).rejects.toThrow();
  inVain.resolve();
  expect([(await first).isReused, calls]).toEqual([false, 1]);
  expect(await once(50)).toMatchObject({ isReused: true });
});

it("a query for more results is another search, and one with other case and white space is not", async () => {
  const effects = performingEffects();
  const asked: number[] = [];
  const ask = (query: SearchQuery) =>
    searchOnce({ source: "pages", query }, { effects, timeoutMs: 1_000 }, async () => {
      asked.push(query.limit);
      return found();
    });
  expect((await ask(QUERY)).isReused).toBe(false);
  expect((await ask({ ...QUERY, limit: 20 })).isReused).toBe(false);
  expect((await ask({ ...QUERY, text: " 固态电池  SOLID-state " })).isReused).toBe(true);
  expect(asked).toEqual([10, 20]);
});

it("the oldest results are forgotten if all together are too large, and the latest is shared", async () => {
  const effects = performingEffects();
  const ask = (text: string) =>
    searchOnce({ source: "pages", query: { ...QUERY, text } }, { effects, timeoutMs: 1_000 }, async () => found("文".repeat(3_000_000)));
  for (const text of ["a", "b", "c"]) expect((await ask(text)).isReused).toBe(false);
  expect((await ask("c")).isReused).toBe(true);
  expect((await ask("b")).isReused).toBe(true);
  expect((await ask("a")).isReused).toBe(false);
});

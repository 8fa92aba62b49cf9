import { expect, it } from "vitest";
import { type Hit, sourceIdOf } from "../../src/domain/hit.ts";
import type { Effects } from "../../src/domain/ports/effects.ts";
import type { SearchQuery, SearchSource } from "../../src/domain/ports/sources.ts";
import type { Task } from "../../src/domain/task.ts";
import { DossierError } from "../../src/errors.ts";
import { searchSources } from "../../src/gathering/search.ts";
import { NO_REPLIES } from "../../src/journal/completions.ts";
import { jumpingClock } from "../helpers/jumping-clock.ts";
import { foundPage } from "../helpers/page-source.ts";
import { plainEffects } from "../helpers/plain-effects.ts";
import { finding } from "../helpers/search-answer.ts";
import { turns } from "../helpers/turns.ts";

const hitOf = (url: string): Hit => ({
  ...{ id: sourceIdOf(url), kind: "upload", title: url, url, publishedAt: null, foundBy: "documents", contentHash: null, snippet: "" },
});
const LAMP = hitOf("upload:lamp");
const WALL = hitOf("upload:灯塔");
const QUERY: SearchQuery = { text: "固态电池 solid-state", language: "zh", limit: 10, written: true };

/** Effects with the results of real ones, which keep the time that each search gets. The time of waits is over when `late` aborts. */
function performing(now?: () => number, late = new AbortController().signal) {
  const times: number[] = [];
  const plain = plainEffects(now && { now });
  const effects: Effects = {
    ...plain,
    perform: ({ kind, timeoutMs, live }) => {
      if (kind === "search") times.push(timeoutMs);
      return live(kind === "memo" ? late : plain.signal, NO_REPLIES);
    },
  };
  return { effects, times };
}

/** Searches the only source of a run, which answers by `answer`. */
function searching(id: string, answer: SearchSource["search"], effects = performing().effects) {
  const source: SearchSource = { id, kind: "upload", title: id, search: answer };
  const task = { question: "?", language: "auto", sources: [id], tools: [], given: [LAMP, WALL] } as unknown as Task;
  return async (query: SearchQuery, timeoutMs = 100_000) => {
    const { entries, hits } = await searchSources([{ source: id, query }], { sources: new Map([[id, source]]), task, timeoutMs, effects });
    return { outcome: entries[0]?.outcome, detail: entries[0]?.detail, hits };
  };
}

it.each([
  [[], "en", "2 of 2 documents were deleted before this search"],
  [[WALL], "en", "1 of 2 documents was deleted before this search"],
  [[LAMP], "zh-Hans", "2 份文件中有 1 份在查找之前已被删除"],
  [[LAMP, WALL], "zh", null],
])("says which documents of the user were deleted before the search: found %j", async (found, language, detail) => {
  const search = searching(
    "documents",
    finding(() => found),
  );
  expect(await search({ text: "灯塔", language, limit: 10 })).toMatchObject({ detail, hits: found });
});

it("asks a source once for queries that differ in case and white space, also at the same time, and again for others", async () => {
  const asked: string[] = [];
  const search = searching(
    "wiki",
    finding(({ text, language, limit }) => {
      asked.push(`${text} ${language} ${limit}`);
      return [LAMP];
    }),
  );
  const query = (text: string, language = "en", limit = 10): SearchQuery => ({ text, language, limit });
  const together = await Promise.all([query("Lamp 灯塔"), query("lamp  灯塔"), query("LAMP 灯塔", "zh")].map((one) => search(one)));
  expect(together.map(({ outcome }) => outcome)).toEqual(["found", "reused", "found"]);
  expect((await search(query("lamp 灯塔 "))).outcome).toBe("reused");
  expect((await search(query("lamp 灯塔", "en", 20))).outcome).toBe("found");
  expect(asked).toEqual(["Lamp 灯塔 en 10", "LAMP 灯塔 zh 10", "lamp 灯塔 en 20"]);
});

it("after a failed search one of those who waited asks again, in the time that is left, and the others take its result", async () => {
  const clock = jumpingClock();
  const { effects, times } = performing(clock.now);
  let open = 0;
  let most = 0;
  const search = searching(
    "pages",
    async () => {
      const isFirst = times.length === 1;
      most = Math.max(most, ++open);
      await turns(5);
      clock.jump(100);
      open -= 1;
      if (isFirst) throw new DossierError("unreachable", "It is down.");
      return { hits: [foundPage("pages", "http://127.0.0.1:9/")], gaps: null, sent: "" };
    },
    effects,
  );
  const ended = await Promise.all(Array.from({ length: 4 }, () => search(QUERY)));
  expect(ended.map(({ outcome }) => outcome)).toEqual(["failed", "found", "reused", "reused"]);
  expect(times).toEqual([100_000, 99_900]);
  expect(most).toBe(1);
});

it("who waits in vain fails at the end of its time, and does not ask again", async () => {
  const late = new AbortController();
  const { effects, times } = performing(undefined, late.signal);
  const inVain = Promise.withResolvers<void>();
  const answer = finding(() => [foundPage("pages", "http://127.0.0.1:9/")]);
  const search = searching("pages", (...asked) => inVain.promise.then(() => answer(...asked)), effects);
  const first = search(QUERY);
  const second = search(QUERY, 50);
  late.abort();
  expect((await second).outcome).toBe("failed");
  inVain.resolve();
  expect([(await first).outcome, times.length]).toEqual(["found", 1]);
  expect((await search(QUERY, 50)).outcome).toBe("reused");
});

it("the results that were used least of late are forgotten if all together are too large", async () => {
  const hit = { ...foundPage("pages", "http://127.0.0.1:9/"), snippet: "文".repeat(9_000) };
  const many = Array.from({ length: 300 }, () => hit);
  const search = searching(
    "pages",
    finding(() => many),
  );
  const ask = async (text: string) => (await search({ ...QUERY, text })).outcome;
  for (const text of ["a", "b", "c"]) expect(await ask(text)).toBe("found");
  expect([await ask("c"), await ask("b"), await ask("a")]).toEqual(["reused", "reused", "found"]);
});

import { expect, it } from "vitest";
import { type Hit, sourceIdOf } from "../../../src/domain/hit.ts";
import type { Effects } from "../../../src/domain/ports/effects.ts";
import type { SearchSource } from "../../../src/domain/ports/sources.ts";
import type { Task } from "../../../src/domain/request.ts";
import { NO_REPLIES } from "../../../src/journal/completions.ts";
import { searchSources } from "../../../src/nodes/shared/search-sources.ts";
import { plainEffects } from "../../helpers/plain-effects.ts";
import { finding } from "../../helpers/search-answer.ts";

const hitOf = (url: string): Hit => ({
  ...{ id: sourceIdOf(url), kind: "upload", title: url, url, publishedAt: null, foundBy: "documents", contentHash: null, snippet: "" },
});
const LAMP = hitOf("upload:lamp");
const WALL = hitOf("upload:灯塔");

function effectsOf(): Effects {
  const plain = plainEffects();
  return { ...plain, perform: ({ live }) => live(plain.signal, NO_REPLIES) as never };
}

/** Searches one source that finds `found`, and counts how often it is asked. */
function searching(id: string, found: readonly Hit[], effects = effectsOf()) {
  let asked = 0;
  const source: SearchSource = {
    ...{ id, kind: "upload", title: id },
    search: finding(() => {
      asked += 1;
      return found;
    }),
  };
  const task = { question: "?", language: "auto", sources: [id], tools: [], given: [LAMP, WALL] } as unknown as Task;
  const search = async (text: string, language = "en") => {
    const context = { sources: new Map([[id, source]]), task, timeoutMs: 1_000, effects };
    return (await searchSources([{ source: id, query: { text, language, limit: 10 } }], context)).entries[0];
  };
  return { search, count: () => asked };
}

it.each([
  [[], "en", "2 of 2 documents were deleted before this search"],
  [[WALL], "en", "1 of 2 documents was deleted before this search"],
  [[LAMP], "zh-Hans", "2 份文件中有 1 份在查找之前已被删除"],
  [[LAMP, WALL], "zh", null],
])("says which documents of the user were deleted before the search: found %j", async (found, language, detail) => {
  expect(await searching("documents", found).search("灯塔", language)).toMatchObject({ detail, results: found.length });
});

it("asks a source once for queries that differ in case and white space, also at the same time, and again for another language", async () => {
  const { search, count } = searching("wiki", [LAMP]);
  const entries = await Promise.all([search("Lamp 灯塔"), search("lamp  灯塔"), search("LAMP 灯塔", "zh")]);
  expect(entries.map((entry) => entry?.outcome)).toEqual(["found", "reused", "found"]);
  expect((await search("lamp 灯塔 "))?.outcome).toBe("reused");
  expect(count()).toBe(2);
});

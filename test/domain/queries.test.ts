import { expect, it } from "vitest";
import { MAX_QUERIES, readQueries, SearchCallSchema } from "../../src/domain/queries.ts";

const QUERY = { text: "solid-state battery", kinds: [], language: null, from: null, to: null };

it.each<[given: unknown, read: object[]]>([
  [{ queries: [{ text: "solid-state battery" }] }, [QUERY]],
  [{ query: "solid-state  battery\n" }, [QUERY]],
  [{ query: "solid-state battery", kinds: "web" }, [{ ...QUERY, kinds: ["web"] }]],
  [{ queries: ["solid-state battery", "固态电池"] }, [QUERY, { ...QUERY, text: "固态电池" }]],
  ["solid-state battery", [QUERY]],
  [
    { queries: [{ query: "solid-state battery", kinds: ["blog", "scholar", "web"], language: "ZH-hans" }] },
    [{ ...QUERY, kinds: ["web", "scholar"], language: "zh-Hans" }],
  ],
  [{ queries: [{ text: "solid-state battery", from: "2024", to: "2025-02" }] }, [{ ...QUERY, from: "2024-01-01", to: "2025-02-28" }]],
  [
    { queries: [{ text: "solid-state battery", from: 2024, to: "2024-03-05T10:00:00Z" }] },
    [{ ...QUERY, from: "2024-01-01", to: "2024-03-05" }],
  ],
  [{ queries: [{ text: "solid-state battery", from: "last year", to: "2024-13-01", language: "no language" }] }, [QUERY]],
  [{ queries: [{ text: " … " }, { text: "solid-state battery" }, { text: "solid-state battery" }] }, [QUERY]],
  [{ queries: [{}, null, 7, []] }, []],
  [{}, []],
  [null, []],
])("reads %j", (given, read) => {
  expect(readQueries(given)).toEqual(read);
});

it("keeps at most six queries, each of at most 500 characters", () => {
  const read = readQueries({ queries: Array.from({ length: 9 }, (_, i) => `${i} ${"long ".repeat(200)}`) });
  expect(read).toHaveLength(MAX_QUERIES);
  expect(Math.max(...read.map(({ text }) => text.length))).toBe(500);
});

it("accepts what it can read as a call, and says what is missing from another", () => {
  expect(SearchCallSchema.parse({ query: "固态电池" })).toEqual({ queries: [{ text: "固态电池", kinds: [] }] });
  expect(SearchCallSchema.safeParse({ topic: "x" }).error?.issues.map(({ path }) => path)).toEqual([["queries"]]);
});

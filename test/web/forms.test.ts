import { describe, expect, it } from "vitest";
import { acceptedBy } from "../../src/domain/accepted.ts";
import { AskedQueriesSchema } from "../../src/domain/queries.ts";
import { ResearchRequestSchema } from "../../src/domain/request.ts";
import { defineWords, fill, preferredLanguage } from "../../web/src/i18n/words.ts";
import { chooseDepth, chooseGraph, DEFAULT_OPTIONS, draftOf } from "../../web/src/views/ask/ask-draft.ts";
import { readLimits } from "../../web/src/views/ask/ask-limits.ts";
import { groupSent, linesOf, MAX_QUERIES, MAX_QUERY, queriesFault } from "../../web/src/views/ask/ask-queries.ts";
import { optionsOf } from "../../web/src/views/ask/asked-options.ts";
import { addressesIn, attach, NO_ATTACHMENTS } from "../../web/src/views/ask/attachments.ts";
import { judgeAttachments } from "../../web/src/views/ask/judge-attachments.ts";
import { parseDraft } from "../../web/src/views/ask/kept-draft.ts";
import {
  add,
  move,
  possibleDependencies,
  readPlan,
  remove,
  reword,
  toggleDependency,
  writePlan,
} from "../../web/src/views/pending/plan-edit.ts";
import { layOut } from "../../web/src/views/run/graph-layout.ts";
import { roundOf, speakerOf } from "../../web/src/views/run/step-groups.ts";

describe("the request of the form", () => {
  const zone = { timeZone: "Europe/Berlin" };

  it("names only what was chosen, and is one that the service reads", () => {
    expect(draftOf("灯塔是谁建的？", DEFAULT_OPTIONS, zone)).toEqual({
      ...{ question: "灯塔是谁建的？", graph: "executor", depth: "standard", timeZone: "Europe/Berlin" },
    });
    const limits = { seconds: "120", downloads: " ", modelCalls: "", costUsd: "0,50" };
    const chosen = {
      ...DEFAULT_OPTIONS,
      graph: "research",
      planApproval: true,
      clarify: false,
      since: "2025-01-31",
      style: "table",
      instructions: " kurz ",
      language: "zh",
      limits,
      sources: ["corpus"],
    } as const;
    const draft = draftOf("q", chosen, zone);
    expect(draft).toMatchObject({
      since: "2025-01-31",
      clarify: false,
      limits: { seconds: 120, costUsd: 0.5 },
      report: { style: "table", instructions: "kurz" },
      planApproval: true,
    });
    expect(ResearchRequestSchema.safeParse(draft).error).toBeUndefined();
  });

  it("couples depth and graph as the service demands", () => {
    const deep = chooseDepth(DEFAULT_OPTIONS, "deep");
    expect([deep.graph, chooseGraph(deep, "agent").depth]).toEqual(["research", "standard"]);
    expect(chooseGraph({ ...deep, planApproval: true }, "executor").planApproval).toBe(false);
  });
});

describe("limits", () => {
  const caps = { seconds: 600, downloads: 60, modelCalls: 100, costUsd: null };
  const typed = (change: object) => ({ seconds: "", downloads: "", modelCalls: "", costUsd: "", ...change });

  it("are read in full width, with a decimal comma, and otherwise refused by the field", () => {
    const read = typed({ seconds: " ９０ ", downloads: "0", modelCalls: "10.0", costUsd: "$ １，５０" });
    expect(readLimits(read, caps)).toEqual({ values: { seconds: 90, downloads: 0, modelCalls: 10, costUsd: 1.5 }, faults: {} });
    const wrong = typed({ seconds: "2 min", downloads: "1.5", modelCalls: "1,500", costUsd: "two" });
    expect(readLimits(wrong, caps)).toEqual({
      values: {},
      faults: { seconds: "notNumber", downloads: "notWhole", modelCalls: "ambiguous", costUsd: "notNumber" },
    });
    const beyond = typed({ seconds: "0", downloads: "61", modelCalls: "-5", costUsd: "9".repeat(400) });
    expect(readLimits(beyond, caps).faults).toEqual({
      seconds: "tooLow",
      downloads: "tooHigh",
      modelCalls: "notNumber",
      costUsd: "notNumber",
    });
  });

  it("are never left out of a request", () => {
    const options = { ...DEFAULT_OPTIONS, limits: typed({ costUsd: "abc" }) };
    expect(() => draftOf("q", options, { timeZone: "UTC" })).toThrow(/limit/);
  });
});

describe("what to search for", () => {
  const typed = (queries: string | null, graph = "executor") => ({ ...DEFAULT_OPTIONS, graph, queries });
  const zone = { timeZone: "UTC" };

  it("is one text a line, and only of a graph that takes it", () => {
    const draft = draftOf("灯？", typed(' 鲸油灯 \n\n"gas lamp"\n'), zone);
    expect(draft).toMatchObject({ queries: ["鲸油灯", '"gas lamp"'] });
    expect(ResearchRequestSchema.safeParse(draft).error).toBeUndefined();
    expect(draftOf("q", typed("灯", "research"), zone)).not.toHaveProperty("queries");
    expect(draftOf("q", typed(null), zone)).not.toHaveProperty("queries");
    expect(optionsOf({ graph: "executor", request: { queries: ["鲸油灯", "gas"] } }).queries).toBe("鲸油灯\ngas");
  });

  it("has the bounds of the server, and nothing else is sent in its place", () => {
    const lines = (count: number, length: number): string[] => Array.from({ length: count }, (_, index) => `${index}`.padEnd(length, "灯"));
    for (const [count, length, fault] of [
      [MAX_QUERIES, MAX_QUERY, null],
      [MAX_QUERIES + 1, 2, "tooMany"],
      [1, MAX_QUERY + 1, "tooLong"],
      [0, 0, "none"],
    ] as const) {
      const queries = lines(count, length);
      expect([queriesFault(typed(queries.join("\n"))), AskedQueriesSchema.safeParse(queries).success]).toEqual([fault, fault === null]);
      if (fault !== null) expect(() => draftOf("q", typed(queries.join("\n")), zone)).toThrow(/search/);
    }
  });

  it("is told once for all sources that are sent the same", () => {
    const sent = ["a", "b", "c"].flatMap((source) => (source === "b" ? ["灯"] : ["灯", "gas"]).map((words) => ({ source, words })));
    expect(groupSent([...sent, { source: "b", words: "灯" }])).toEqual([
      { sources: ["a", "c"], words: ["灯", "gas"] },
      { sources: ["b"], words: ["灯"] },
    ]);
    expect(linesOf([{ source: "whole", words: "Which lamp?" }, ...sent])).toBe("灯\ngas");
  });
});

describe("attachments", () => {
  it("are addresses only if a text has nothing else", () => {
    expect(addressesIn(" https://example.org/a\nhttp://例子.测试/b ")).toEqual(["https://example.org/a", "http://例子.测试/b"]);
    for (const text of ["see https://example.org", "javascript:alert(1)", "file:///etc/passwd", ""]) expect(addressesIn(text)).toEqual([]);
  });

  const accepted = acceptedBy(
    { optionalToolLoops: 3, steps: 50, modelCalls: 9, tokens: 9, costUsd: null, seconds: 9, downloads: 9 },
    false,
  );
  const file = (name: string, size: number, type = "") => ({ name, size, type, lastModified: 0 }) as File;

  it("have a bound, each address once, and name what is beyond it", () => {
    const urls = Array.from({ length: 30 }, (_, index) => `https://example.org/${index}`);
    const judged = judgeAttachments(attach(attach(NO_ATTACHMENTS, { urls: urls.slice(0, 2) }), { urls }), accepted, new Map());
    expect([judged.urls, judged.leftOut.map(({ name }) => name)]).toEqual([urls.slice(0, 20), urls.slice(20)]);
    const files = Array.from({ length: 23 }, (_, index) => file(`${index}.txt`, 1));
    const many = judgeAttachments({ files, urls: [] }, accepted, new Map());
    expect([many.files.length, many.leftOut.map(({ name, why }) => [name, why])]).toEqual([
      20,
      [20, 21, 22].map((index) => [`${index}.txt`, "tooManyFiles"]),
    ]);
  });

  it("that the server would refuse are left out before they are sent, and do not keep back the others", () => {
    const [good, refused] = [file("报告.PDF", 5_000_001), file("fake.pdf", 9)];
    const files = [
      file("a.exe", 9),
      file("empty.txt", 0),
      file("big.txt", 5_000_001),
      good,
      file("noname", 9, "text/plain; charset=utf-8"),
      refused,
    ];
    const judged = judgeAttachments({ files, urls: [] }, accepted, new Map([[refused, "unsupported_document"]]));
    expect(judged.files.map(({ name }) => name)).toEqual(["报告.PDF", "noname"]);
    expect(judged.leftOut.map(({ name, why }) => [name, why])).toEqual([
      ["a.exe", "unknownType"],
      ["empty.txt", "emptyFile"],
      ["big.txt", "largeFile"],
      ["fake.pdf", "refused"],
    ]);
    const large = Array.from({ length: 4 }, (_, index) => file(`${index}.pdf`, 19_000_000));
    expect(judgeAttachments({ files: large, urls: [] }, accepted, new Map()).leftOut).toMatchObject([
      { name: "3.pdf", why: "largeTogether" },
    ]);
    expect(judgeAttachments({ files, urls: [] }, null, new Map()).files).toHaveLength(6);
  });
});

describe("a plan in the form", () => {
  const plan = {
    todos: [
      { id: "T1", description: "one", priority: 3, keyFacts: ["k"] },
      { id: "二", description: "两", dependsOn: ["T1"] },
    ],
  };

  it("goes back with what the form does not show", () => {
    expect(writePlan(reword(readPlan(plan), "T1", " 一 "))).toEqual({
      todos: [
        { id: "T1", description: "一", priority: 3, keyFacts: ["k"], dependsOn: [] },
        { id: "二", description: "两", dependsOn: ["T1"] },
      ],
    });
  });

  it("keeps its ids and dependencies right", () => {
    const todos = readPlan(plan);
    expect(move(todos, "二", -1).map(({ id }) => id)).toEqual(["二", "T1"]);
    expect(move(todos, "二", 5)).toEqual(todos);
    expect(remove(todos, "T1")).toMatchObject([{ id: "二", dependsOn: [] }]);
    expect(add(remove(add(todos), "T1")).map(({ id }) => id)).toEqual(["二", "N3", "N4"]);
    expect(readPlan({ todos: "no list" })).toEqual([]);
  });
});

it("lets a todo of a plan wait for any other one that does not wait for it", () => {
  const todos = readPlan({
    todos: [
      { id: "a", description: "1" },
      { id: "二", description: "2", dependsOn: ["a"] },
      { id: "c", description: "3", dependsOn: ["二"] },
      { id: "d", description: "4" },
    ],
  });
  const ids = (id: string): string[] => possibleDependencies(todos, id).map((todo) => todo.id);
  expect([ids("a"), ids("二"), ids("c"), ids("d")]).toEqual([["d"], ["a", "d"], ["a", "二", "d"], ["a", "二", "c"]]);
  const changed = toggleDependency(toggleDependency(todos, "二", "d"), "二", "a");
  expect(changed.map(({ dependsOn }) => dependsOn)).toEqual([[], ["d"], ["二"], []]);
});

it("reads the draft that was kept, and of one of another version what it can", () => {
  const draft = {
    ...{ from: "", question: "灯塔？", urls: ["https://example.org/a"], fileNames: ["a.pdf"], isThreadUsed: false },
    options: {
      ...DEFAULT_OPTIONS,
      graph: "team",
      limits: { ...DEFAULT_OPTIONS.limits, costUsd: "1,50" },
      team: "default",
      sources: ["corpus"],
      queries: "鲸油灯\n",
    },
  };
  expect(parseDraft(JSON.stringify(draft))).toEqual(draft);
  const odd = { ...draft, options: { depth: 5, limits: { seconds: {} }, models: [], team: 3, clarify: "no" }, urls: "x", fileNames: [7] };
  expect(parseDraft(JSON.stringify(odd))).toEqual({ ...draft, options: { ...DEFAULT_OPTIONS, models: {} }, urls: [], fileNames: [] });
  for (const text of [null, "", "{", "[]", '{"question":"q"}']) expect(parseDraft(text)).toBeNull();
});

describe("the request asked again", () => {
  it("has what the run had: day, models, team, and fields that the form does not show", () => {
    const team = { pattern: "hybrid", children: [{ id: "甲", prompt: "p", critical: true }], stages: [{ children: ["甲"] }] };
    const request = {
      question: "q",
      graph: "team",
      since: "2025-01-31",
      model: "m",
      models: { supervisor: "s" },
      team,
      systemContext: "c",
    };
    const options = optionsOf({ graph: "team", request: { ...request, metadata: { a: 1 } } });
    const draft = draftOf("q", options, { timeZone: "UTC", threadId: "t", urls: ["https://example.org/a"] });
    expect(draft).toMatchObject({ ...request, metadata: { a: 1 }, threadId: "t", urls: ["https://example.org/a"] });
    expect(ResearchRequestSchema.safeParse(draft).error).toBeUndefined();
    expect(draftOf("q", { ...options, graph: "agent" }, { timeZone: "UTC" })).not.toHaveProperty("team");
  });

  it("reads a request of another version leniently", () => {
    const odd = { team: { children: [1] }, models: { writer: 3 }, model: {}, since: 5, sources: "x", metadata: [], limits: null } as never;
    expect(optionsOf({ graph: "executor", request: odd })).toEqual({ ...DEFAULT_OPTIONS, models: {} });
  });
});

describe("the graph's picture", () => {
  it("has every node once, after those that lead to it, the end last, and every edge", () => {
    const ids = ["__start__", "plan", "ask", "work", "alone", "__end__"];
    const pairs = [
      ["__start__", "plan"],
      ["plan", "ask"],
      ["ask", "plan"],
      ["plan", "work"],
      ["work", "plan"],
      ["plan", "__end__"],
    ] as const;
    const edges = pairs.map(([source, target]) => ({ source, target, conditional: true }));
    const layout = layOut({ nodes: ids.map((id) => ({ id })), edges });
    const rows = new Map(layout.nodes.map(({ id, y }) => [id, y]));
    expect([...rows.keys()].sort()).toEqual([...ids].sort());
    expect(layout.nodes.at(-1)?.id).toBe("__end__");
    expect((rows.get("plan") ?? 0) < (rows.get("work") ?? 0)).toBe(true);
    expect(layout.edges).toHaveLength(pairs.length);
  });
});

describe("words", () => {
  const words = defineWords(
    { found: { one: "{count} source in {place}", other: "{count} sources in {place}" } },
    { found: "{place}里有 {count} 个来源" },
  );

  it("are filled once, with the form of the number, and never with what a value contains", () => {
    expect(fill(words, "en", "found", { count: 1, place: "{count}" })).toBe("1 source in {count}");
    expect(fill(words, "en", "found", { count: 2_000, place: "$&" })).toBe("2,000 sources in $&");
    expect(fill(words, "zh", "found", { count: 3, place: "文件夹" })).toBe("文件夹里有 3 个来源");
  });

  it("are in the first language that the browser prefers and the page has", () => {
    expect([["zh-TW", "en"], ["fr", "zh"], ["de", "en-GB", "zh"], []].map(preferredLanguage)).toEqual(["zh", "zh", "en", "en"]);
  });
});

it("knows who speaks on a path", () => {
  expect(speakerOf("todo:二/round:2")).toEqual({ kind: "todo", id: "二" });
  expect(speakerOf("child:a:b")).toEqual({ kind: "child", id: "a:b" });
  expect([roundOf("todo:二/round:2"), roundOf("child:a")]).toEqual(["2", null]);
});

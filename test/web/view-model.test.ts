import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../src/domain/events.ts";
import { nowOf } from "../../web/src/view-model/now.ts";
import type { Part } from "../../web/src/view-model/part.ts";
import { reduce } from "../../web/src/view-model/reduce.ts";
import { at, toArray } from "../../web/src/view-model/rows.ts";
import { EMPTY_VIEW, MAX_PARTS, MAX_STEPS, MAX_TEXT, type NodeStep, type RunView } from "../../web/src/view-model/run-view.ts";
import { get } from "../../web/src/view-model/table.ts";
import { eventsOf, RECORDED, recordedEvents } from "./recorded-events.ts";

const reduceAll = (events: readonly RunEvent[], start = EMPTY_VIEW): RunView => events.reduce(reduce, start);
const nodesOf = (view: RunView): NodeStep[] => toArray(view.steps).filter((step) => step.kind === "node");
const milestonesOf = (view: RunView) => toArray(view.steps).flatMap((step) => (step.kind === "milestone" ? [step.what] : []));
const partsOf = (view: RunView): Part[] => nodesOf(view).flatMap(({ parts }) => toArray(parts));
const ofKind = <K extends Part["kind"]>(view: RunView, kind: K) =>
  partsOf(view).filter((part): part is Extract<Part, { kind: K }> => part.kind === kind);

describe("the view of a recorded run", () => {
  it.each(RECORDED)("%s: ends with everything closed, and is the same read in two halves or twice", (name) => {
    const events = recordedEvents(name);
    const whole = reduceAll(events);
    expect(whole.seq).toBe(events.length);
    expect(["succeeded", "cancelled"]).toContain(whole.status);
    expect(nodesOf(whole).filter(({ state }) => state === "running")).toEqual([]);
    expect([whole.open.size, whole.openSteps.size, whole.pending]).toEqual([0, 0, []]);
    expect(nowOf(whole)).toEqual({ kind: "ended" });
    const half = reduceAll(events.slice(0, events.length / 2));
    expect(reduceAll(events, half)).toEqual(whole);
  });

  it("never changes a view that it has returned", () => {
    const events = recordedEvents("research");
    const kept: [RunView, string][] = [];
    let view = EMPTY_VIEW;
    for (const event of events) {
      view = reduce(view, event);
      kept.push([view, JSON.stringify(view)]);
    }
    for (const [before, written] of kept) expect(JSON.stringify(before)).toBe(written);
  });

  it("english: has the nodes in order, what was found and what was read", () => {
    const view = reduceAll(recordedEvents("english"));
    expect(nodesOf(view).map(({ node, counts }) => [node, counts.found, counts.read])).toEqual([
      ["llm_decision", 0, 0],
      ["search", 3, 0],
      ["rerank", 0, 0],
      ["download", 0, 3],
      ["summarize", 0, 0],
    ]);
    expect(toArray(view.sources).map(({ source, state, characters }) => [source.title, state, characters])).toEqual([
      ["The lighthouse of Aldermoor", "read", 304],
      ["The storm of 1901", "read", 117],
      ["harbour.txt", "read", 133],
    ]);
    expect(get(view.graph.edges, "search>rerank")).toBe(1);
    expect(get(view.graph.edges, "__start__>llm_decision")).toBe(1);
  });

  it("interrupted: a killed process goes on in the same step", () => {
    const view = reduceAll(recordedEvents("interrupted"));
    expect(milestonesOf(view)).toEqual(["queued", "continued", "continued", "ended"]);
    expect(nodesOf(view).every(({ state }) => state === "ended")).toBe(true);
    expect(ofKind(view, "tool").map(({ arguments: args, ok, durationMs }) => [args, ok, durationMs])).toEqual([
      [{ query: "a" }, true, expect.any(Number)],
      [{ query: "灯塔" }, true, expect.any(Number)],
      [{ query: "b" }, true, expect.any(Number)],
    ]);
  });

  it("answered: two questions wait at once, and a node that waited stays one step", () => {
    const events = recordedEvents("answered");
    const waiting = reduceAll(events.slice(0, 9));
    expect([waiting.status, waiting.pending.map(({ path }) => path)]).toEqual(["waiting", ["west", "东"]]);
    expect(nowOf(waiting)).toEqual({ kind: "waiting" });
    const oneLeft = reduceAll(events.slice(0, 10));
    expect([oneLeft.status, oneLeft.pending.map(({ path }) => path)]).toEqual(["waiting", ["东"]]);
    expect(nodesOf(reduceAll(events)).map(({ node }) => node)).toEqual(["begin", "ask", "ask", "again"]);
  });

  it("research: todos with their states, components of models, steps under the path of their todo", () => {
    const view = reduceAll(recordedEvents("research"));
    expect(view.todos).toMatchObject([
      { id: "T1", status: "completed" },
      { id: "二", status: "completed" },
    ]);
    expect(ofKind(view, "component").map(({ component, partial }) => [component, partial])).toContainEqual(["verifier-response", false]);
    expect(ofKind(view, "component").every(({ partial }) => !partial)).toBe(true);
    expect(
      nodesOf(view)
        .filter(({ path }) => path === "todo:T1/round:1")
        .map(({ node }) => node),
    ).toContain("summarize");
    expect(view.spent.modelCalls).toBeGreaterThan(5);
  });

  it("team: children, their drafts and tools", () => {
    const view = reduceAll(recordedEvents("team"));
    expect(view.children).toMatchObject([{ id: "history", status: "completed" }, { id: "石料" }, { id: "age" }]);
    expect(ofKind(view, "call").map(({ text }) => text)).toContain("Ada Penrose built it in 1874.");
    expect(
      ofKind(view, "tool")
        .map(({ tool }) => tool)
        .sort(),
    ).toEqual(["calculator", "search", "search"]);
  });
});

describe("a view", () => {
  const started = [{ type: "run-queued" }, { type: "run-started", attempt: 1 }, { type: "node-started", node: "think", step: 1 }] as const;

  it("drops the events of a segment that starts again, and keeps the one before", () => {
    const before = [
      ...started,
      { type: "node-ended", node: "think", step: 1, durationMs: 1 },
      { type: "node-started", node: "ask", step: 2 },
    ];
    const pending = [{ id: "p", path: "", kind: "question", prompt: "?", plan: null, call: null }];
    const asked = [
      ...before,
      { type: "run-waiting", pending },
      { type: "run-resumed", pendingId: "p" },
      { type: "run-started", attempt: 2 },
    ];
    const work = [
      { type: "node-started", node: "ask", step: 2 },
      { type: "node-ended", node: "ask", step: 2, durationMs: 1 },
    ];
    const dropped = [
      { type: "node-started", node: "think", step: 3 },
      { type: "run-restarted", reason: "the program changed" },
    ];
    const view = reduceAll(eventsOf([...asked, ...work, ...dropped]));
    expect(nodesOf(view).map(({ node, state }) => [node, state])).toEqual([
      ["think", "ended"],
      ["ask", "running"],
    ]);
    expect(milestonesOf(view)).toEqual(["queued", "waiting", "resumed", "restarted"]);
    expect(view.seq).toBe(asked.length + 4);
  });

  it("counts the time that the run works, without waits and dead processes", () => {
    const pending = [{ id: "p", path: "", kind: "question", prompt: "?", plan: null, call: null }];
    // One event each second: three of work, a wait of two, one of work, a dead process of one, one of work.
    const view = reduceAll(
      eventsOf([
        ...started,
        { type: "loop-ended", reason: "cap", rounds: 1 },
        { type: "run-waiting", pending },
        { type: "run-resumed", pendingId: "p" },
        { type: "run-started", attempt: 2 },
        { type: "loop-ended", reason: "cap", rounds: 1 },
        { type: "run-started", attempt: 3 },
        { type: "run-ended", status: "succeeded", termination: { reason: "completed", node: null, detail: null } },
      ]),
    );
    expect([view.ranMs, view.runningSince]).toEqual([5_000, null]);
  });

  it("drops the draft of a call that starts again", () => {
    const call = { callId: "c", try: 1, node: "think" };
    const view = reduceAll(
      eventsOf([
        ...started,
        { type: "content", ...call, delta: "Wrong" },
        { type: "call-restarted", callId: "c", try: 2, reason: "" },
        { type: "content", ...call, try: 2, delta: "对" },
      ]),
    );
    expect(ofKind(view, "call")).toMatchObject([{ text: "对", try: 2 }]);
    expect(nowOf(view)).toMatchObject({ kind: "call", call: { callId: "c" } });
  });

  it("counts beside what is done now only what is done at the same depth, not the todos that hold it", () => {
    const begun = [
      { type: "run-started", attempt: 1 },
      { type: "node-started", node: "todo", step: 1 },
      { type: "node-started", node: "search", step: 1, path: "todo:T1/round:1" },
      { type: "node-started", node: "search", step: 1, path: "todo:longer/round:1" },
    ];
    expect(nowOf(reduceAll(eventsOf(begun)))).toMatchObject({ kind: "node", step: { node: "search" }, others: 1 });
  });

  it("has bounds on texts, parts and steps, and counts what it drops", () => {
    const call = { type: "content", callId: "c", try: 1, node: "think", delta: "天".repeat(1_000) };
    const found = (id: number) => ({ type: "tool-started", tool: "search", arguments: {}, callId: `t${id}` });
    const steps = (id: number) => ({ type: "node-started", node: "n", step: id });
    const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));
    const view = reduceAll(eventsOf([...started, ...many(100, () => call), ...many(MAX_PARTS + 9, found), ...many(MAX_STEPS, steps)]));
    const [first] = nodesOf(view);
    expect(ofKind(view, "call")[0]?.text.length).toBeLessThanOrEqual(2 * MAX_TEXT);
    expect([first?.parts.size, first?.droppedParts, first?.counts.tools]).toEqual([MAX_PARTS, 10, MAX_PARTS + 9]);
    expect([view.steps.size, view.droppedSteps]).toEqual([MAX_STEPS, 2]);
  });

  it("ignores what it has seen, what it does not know, and hostile names", () => {
    const odd = { id: "__proto__", kind: "web", title: "<img src=x onerror=alert(1)>", url: "javascript:alert(1)", contentHash: null };
    const events = eventsOf([
      ...started,
      { type: "source-found", source: odd },
      {
        type: "queries-rewritten",
        queries: [{ text: "灯塔", kinds: [], language: null, from: null, to: null }],
        from: ["q"],
        relevance: 0,
      },
      { type: "notes-taken", sourceId: "__proto__", contentHash: "h", notes: 2 },
      { type: "something-new" },
      { type: "tool-ended", tool: "x", callId: "constructor", arguments: {} },
    ]);
    const view = reduceAll(events);
    expect(at(view.sources, 0)?.source).toEqual(odd);
    expect(ofKind(view, "rewritten")).toMatchObject([{ queries: [{ text: "灯塔" }], from: ["q"] }]);
    expect(ofKind(view, "notes")).toMatchObject([{ sourceId: "__proto__", notes: 2 }]);
    expect(reduceAll(events, view)).toBe(view);
    expect(({} as Record<string, unknown>)["title"]).toBeUndefined();
  });
});

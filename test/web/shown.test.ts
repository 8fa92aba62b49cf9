import { describe, expect, it } from "vitest";
import { formatCompact, formatElapsed } from "../../web/src/i18n/format.ts";
import { readableAddress } from "../../web/src/ui/readable-address.ts";
import type { Part } from "../../web/src/view-model/part.ts";
import { append, noRows, toArray } from "../../web/src/view-model/rows.ts";
import { EMPTY_VIEW, type NodeStep } from "../../web/src/view-model/run-view.ts";
import { ownWords } from "../../web/src/views/compare/own-words.ts";
import { layOut, NODE } from "../../web/src/views/run/graph-layout.ts";
import { shownParts } from "../../web/src/views/run/shown-parts.ts";
import { groupSteps } from "../../web/src/views/run/step-groups.ts";

const base = { id: 1, at: "2026-01-01T00:00:00Z" };
const decision = { ...base, kind: "decision", round: 0, reason: "r", queries: [], toolCalls: [], toolsOffered: [] } as const;

function step(node: string, path: string, ...parts: Part[]): NodeStep {
  return {
    ...{ kind: "node", id: 1, at: base.at, path, node, step: 1, attempt: 1, state: "ended", durationMs: 1, droppedParts: 0 },
    ...{ parts: parts.reduce(append, noRows<Part>()), counts: { found: 0, read: 0, failed: 0, tools: 0, calls: 0 } },
  };
}

describe("the steps of a run", () => {
  it("leave out that there was nothing to decide, and a decision that is only a call of a tool", () => {
    const end = { ...base, kind: "loop-end", reason: "no_tools", rounds: 0 } as const;
    expect(shownParts(step("llm_decision", "", decision, end))).toEqual([]);
    const offered = { ...decision, toolsOffered: ["calculator"] };
    const query = { ...decision, queries: [{ text: "灯塔", kinds: [], language: null, from: null, to: null }] } satisfies Part;
    const kept = [offered, query, { ...end, rounds: 2 }];
    expect(shownParts(step("llm_decision", "", ...kept))).toEqual(kept);
    expect(shownParts(step("think", "", offered))).toEqual([]);
  });

  it("leave out the empty holder of a todo, whose steps have a group", () => {
    const steps = [step("todo", ""), step("search", "todo:二/round:1"), step("plan", "")].reduce(append, EMPTY_VIEW.steps);
    expect(groupSteps({ ...EMPTY_VIEW, steps }).map(({ kind }) => kind)).toEqual(["part-of-run", "step"]);
    expect(toArray(steps)).toHaveLength(3);
  });
});

it("draws no way of a graph behind a node that it does not touch", () => {
  const ids = ["__start__", "think", "act", "ask", "write", "__end__"];
  const pairs = [
    ["__start__", "think"],
    ["think", "act"],
    ["think", "ask"],
    ["think", "write"],
    ["act", "think"],
    ["ask", "think"],
    ["write", "__end__"],
    ["think", "__end__"],
  ] as const;
  const layout = layOut({
    nodes: ids.map((id) => ({ id })),
    edges: pairs.map(([source, target]) => ({ source, target, conditional: false })),
  });
  const rows = new Map(layout.nodes.map(({ id }, row) => [id, row]));
  const [x] = layout.nodes.map((node) => node.x);
  for (const { source, target, path } of layout.edges) {
    if ((rows.get(target) ?? 0) - (rows.get(source) ?? 0) === 1) continue;
    const lane = Number(/Q (\S+)/.exec(path)?.[1]);
    expect(Math.abs(lane - (x ?? 0))).toBeGreaterThan(NODE.width / 2);
    expect([lane > 0, lane < layout.width]).toEqual([true, true]);
  }
  expect(layout.width).toBeLessThan(326);
});

it("marks the words that the other sentence does not have, also without spaces between them", () => {
  const own = (one: string, other: string) => ownWords(one, other).flatMap(({ text, isOwn }) => (isOwn ? [text.trim()] : []));
  expect(own("The tower was built in 1874.", "the tower was finished in 1876.")).toEqual(["built", "1874."]);
  expect(own("灯塔建于1874年。", "灯塔建于1876年。")).toEqual(["1874"]);
  expect(ownWords("Same words", "same  words")).toEqual([{ text: "Same words", isOwn: false }]);
  expect(own("The tower The tower is tall", "The tower is tall")).toEqual(["The tower"]);
  // A word that stands in both at the same place is not marked because one of them has it once more before.
  expect(own("Of the tower: the keeper of the tower climbs.", "The keeper of the tower climbs.")).toEqual(["Of the tower:"]);
  expect(own("灯塔由艾达设计，港墙也由艾达设计。", "港墙也由艾达设计。")).toEqual(["灯塔由艾达设计，"]);
  expect(own(`a ${"x ".repeat(900)}b`, `a ${"y ".repeat(900)}b`)).toEqual(["x ".repeat(900).trim()]);
});

it("shows a file of the folder by its decoded path, and other addresses as they are", () => {
  expect(readableAddress("corpus:zh/%E7%81%AF%E5%A1%94.md")).toBe("zh/灯塔.md");
  expect(readableAddress("https://example.org/a%20b")).toBe("https://example.org/a b");
  expect(readableAddress("corpus:100%.md")).toBe("100%.md");
});

it("shows a run of less than a second as long as it took, and small counts in full", () => {
  expect([formatElapsed(598, true, "en"), formatElapsed(4_700, false, "en")]).toEqual(["598 ms", "4 s"]);
  expect([formatCompact(7_390, "zh"), formatCompact(2_000_000, "zh"), formatCompact(12_345, "en")]).toEqual(["7,390", "200万", "12.3K"]);
});

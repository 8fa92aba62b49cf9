import { expect, it } from "vitest";
import { bestCoverage, MIN_COVERAGE } from "../../src/ranking/query-coverage.ts";

const hit = (title: string, snippet = "") => ({ title, snippet });
const coverage = (query: string, ...hits: ReturnType<typeof hit>[]) => bestCoverage([query], hits);

it("counts the terms that no hit has", () => {
  expect(coverage("lighthouse keeper pension", hit("The lighthouse"), hit("Keeper of the lighthouse"))).toBeCloseTo(2 / 3);
  expect(coverage("lighthouse keeper pension", hit("Recipes", "Slice the tomatoes."))).toBe(0);
  expect(coverage("lighthouse keeper pension")).toBe(0);
});

it("takes terms of one hit together, from its title and its snippet, and not of several hits", () => {
  expect(coverage("harbour wall granite", hit("The harbour", "Its wall is of granite."))).toBe(1);
  expect(coverage("harbour wall granite", hit("harbour"), hit("wall"), hit("granite"))).toBeCloseTo(1 / 3);
});

it("takes the query that is covered best", () => {
  expect(bestCoverage(["奥尔德穆尔灯塔", "lighthouse"], [hit("A lighthouse")])).toBe(1);
});

it("judges Chinese by pairs of characters", () => {
  expect(coverage("奥尔德穆尔灯塔的建造者", hit("奥尔德穆尔灯塔", "由艾达·彭罗斯建造。"))).toBeGreaterThan(MIN_COVERAGE);
  expect(coverage("奥尔德穆尔灯塔的建造者", hit("夏日菜谱", "西红柿切片。"))).toBe(0);
});

it("is below the constant for a Chinese question over English texts", () => {
  expect(coverage("奥尔德穆尔灯塔是谁建造的？", hit("Lighthouse of Aldermoor", "Built in 1874."))).toBeLessThan(MIN_COVERAGE);
});

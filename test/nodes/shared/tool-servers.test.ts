import { expect, it } from "vitest";
import type { OfferedTool } from "../../../src/domain/tool.ts";
import { fitToolsToContext } from "../../../src/nodes/shared/tool-servers.ts";

const tool = (server: string, name: string, description: string): OfferedTool => ({
  name: `${server}__${name}`,
  description,
  kind: "query",
  parameters: {},
  server: `mcp:${server}`,
  tool: name,
  confirm: false,
  timeoutMs: 1_000,
});

it("reserves places for each server if one offers more tools than the model can read", () => {
  const greedy = Array.from({ length: 60 }, (_, index) => tool("greedy", `t${index}`, "长".repeat(1_000)));
  const modest = [tool("modest", "a", "短"), tool("modest", "b", "短")];
  const { kept, leftOut } = fitToolsToContext([...greedy, ...modest], 32_000);
  expect(kept.slice(-2)).toEqual(modest);
  expect(kept.length).toBeGreaterThan(5);
  expect(kept.length + leftOut.length).toBe(62);
  expect(kept.length).toBeLessThan(20);
});

it("keeps all tools, in order, if they fit", () => {
  const tools = [tool("a", "x", "One."), tool("b", "x", "Two."), tool("a", "y", "三。")];
  expect(fitToolsToContext(tools, 32_000)).toEqual({ kept: tools, leftOut: [] });
});

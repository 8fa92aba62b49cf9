import { expect, it } from "vitest";
import { Budget, NOTHING_SPENT } from "../../src/domain/budget.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { plainEffects } from "../helpers/plain-effects.ts";
import { decisionView, LIMITS, modelAnalyst } from "../writing/model-under-test.ts";

/** A todo with this many calls, of which two are kept for its notes and their judgement, beside others with ten calls to lend. */
async function rewriteWith(modelCalls: number) {
  const server = await startModelServer([say.toolCalls([{ name: "search", arguments: { queries: [{ text: "灯塔 建造者" }] } }])]);
  const pool = new Budget({ ...LIMITS, modelCalls: 3 + 10 });
  const budget = pool.allocate({ ...LIMITS, modelCalls: 3, tokens: 50_000 });
  budget.spend({ ...NOTHING_SPENT, modelCalls: 3 - modelCalls });
  const view = { ...decisionView(), sources: { web: { kind: "web" } }, asked: ["灯塔"], best: [] };
  const effects = { ...plainEffects(), budget };
  const rewriting = await (await modelAnalyst(server)).rewrite?.(view, effects);
  return { texts: rewriting?.queries.map(({ text }) => text), asked: server.requests.length, lent: 10 - pool.left.modelCalls };
}

it.each([
  ["uses a call that its todo has to spare", 3, { texts: ["灯塔 建造者"], asked: 1, lent: 0 }],
  ["borrows no call that other todos may need", 2, { texts: [], asked: 0, lent: 0 }],
])("a second look %s", async (_, calls, expected) => {
  expect(await rewriteWith(calls)).toEqual(expected);
});

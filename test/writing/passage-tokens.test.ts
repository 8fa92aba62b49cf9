import { expect, it } from "vitest";
import { Budget, NOTHING_SPENT } from "../../src/domain/budget.ts";
import { prepareText, type WriteRequest } from "../../src/writing/prepare-text.ts";
import { plainEffects } from "../helpers/plain-effects.ts";

const SPENT = { ...NOTHING_SPENT, modelCalls: 10, inputTokens: 400_000 };
const RUN = { modelCalls: 60, tokens: 2_000_000, costUsd: null, downloads: 60 };

/** Returns how many tokens of passages a writer of a todo is offered after the run has spent much. */
async function offered(budget: Budget | undefined, limits: object) {
  const effects = plainEffects({ spent: SPENT });
  let tokens = 0;
  const choose = async (most: number) => {
    tokens = most;
    return [];
  };
  const role = { name: "reader", choose, values: () => ({}) };
  const view = { question: "灯塔有多高？", language: "zh", history: [], readings: [{}], limits };
  const models = { contextTokens: 60_000, maxOutputTokens: 4_000 };
  const request = { view, models, role, prompts: async () => "" } as unknown as WriteRequest;
  await prepareText(request, budget === undefined ? effects : { ...effects, budget });
  return tokens;
}

it("a reader of a todo is offered passages by what its todo has left and may borrow, not by what the whole run has spent", async () => {
  const pool = Budget.ofTodos(RUN, SPENT, 0, { ceiling: () => Budget.ofRun(RUN, SPENT).left, inSections: true });
  const budget = pool.allocate(pool.firstShare(3));
  expect(budget.limits.tokens).toBeLessThan(400_000);
  expect(await offered(budget, budget.limits)).toBeGreaterThan(50_000);
  expect(await offered(undefined, RUN)).toBeGreaterThan(50_000);
  expect(await offered(undefined, { ...RUN, tokens: 400_000 })).toBe(0);
});

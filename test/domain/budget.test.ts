import { describe, expect, it } from "vitest";
import { type Amounts, Budget, budgetOf, NOTHING_SPENT, type Spent } from "../../src/domain/budget.ts";

const LIMITS: Amounts = { modelCalls: 40, tokens: 10_000, costUsd: 1, downloads: 12 };
const spent = (some: Partial<Spent>): Spent => ({ ...NOTHING_SPENT, ...some });
const CALL = { inputTokens: 100, outputTokens: 100, costUsd: 0.01 };

/** Returns the budget of todos, and the share of a todo that starts. */
function todos(limits: Partial<Amounts>, before: Partial<Spent> = {}, waiting = () => 0) {
  const budget = Budget.ofTodos({ ...LIMITS, ...limits }, spent(before), 0, { waiting });
  return { budget, start: (among: number) => budget.allocate(budget.share(among)) };
}

describe("the budget of todos", () => {
  it("is divided among the todos that have not started, and takes back what one does not use", () => {
    const { start } = todos({}, { modelCalls: 1, inputTokens: 500, outputTokens: 500 });
    const first = start(3);
    expect(first.limits).toEqual({ modelCalls: 11, tokens: 2_000, costUsd: 0.7 / 3, downloads: 4 });
    expect(start(2).limits).toMatchObject({ modelCalls: 11, tokens: 2_000, downloads: 4 });
    first.spend(spent({ modelCalls: 2, inputTokens: 400, costUsd: 0.1 }));
    first.release();
    expect(start(1).limits).toMatchObject({ modelCalls: 20, tokens: 3_600, downloads: 8 });
    expect(start(1).limits).toMatchObject({ modelCalls: 0, tokens: 0, downloads: 0 });
  });

  it("starts a todo with five calls at most, and tokens and money in proportion; the rest is lent to whoever needs it", () => {
    const { budget } = todos({ modelCalls: 46 });
    const [first, second] = [2, 1].map((among) => budget.allocate(budget.firstShare(among)));
    expect([first?.limits, second?.limits]).toEqual([
      { modelCalls: 5, tokens: 875, costUsd: 0.35 / 4, downloads: 6 },
      { modelCalls: 5, tokens: 875, costUsd: expect.closeTo(0.0875), downloads: 6 },
    ]);
    expect(first?.takeCallsToGather(100)).toBe(3 + 30);
    expect(todos({ modelCalls: 13 }).budget.firstShare(3)).toEqual(todos({ modelCalls: 13 }).budget.share(3));
  });

  it("has, with its own tokens, those of the calls that it could borrow, and not those that are kept for others", () => {
    let waiting = 2;
    const { budget } = todos({ modelCalls: 46 }, {}, () => waiting);
    const first = budget.allocate(budget.firstShare(3));
    const own = first.limits.tokens;
    expect(first.tokensLeft).toBe(own + Math.floor((7_000 - own) * (25 / 35)));
    waiting = 0;
    expect(first.tokensLeft).toBe(7_000);
    const before = first.tokensLeft;
    while (first.borrow());
    expect(first.left.tokens).toBe(before);
    expect(new Budget({ ...LIMITS, tokens: 900 }, { ceiling: () => ({ ...LIMITS, tokens: 300 }) }).tokensLeft).toBe(300);
    expect(Budget.ofRun(LIMITS, spent({ inputTokens: 20_000 })).tokensLeft).toBe(0);
  });

  it("is never negative, reserves three calls for the verdict and the summary, and gives single downloads to the first todo", () => {
    const { start } = todos({ modelCalls: 5, costUsd: null, downloads: 2 }, { modelCalls: 9, inputTokens: 90_000 });
    expect([3, 2, 1].map((among) => start(among).limits)).toEqual([
      { modelCalls: 0, tokens: 0, costUsd: null, downloads: 1 },
      { modelCalls: 0, tokens: 0, costUsd: null, downloads: 1 },
      { modelCalls: 0, tokens: 0, costUsd: null, downloads: 0 },
    ]);
    expect(todos({ modelCalls: 5 }).start(1).limits.modelCalls).toBe(2);
  });

  it("keeps the unspent share of a todo that continues after a wait, even if less is left", () => {
    const share = { modelCalls: 9, tokens: 2_000, costUsd: 0.2, downloads: 4 };
    const earlier = spent({ modelCalls: 4, inputTokens: 600, outputTokens: 400, costUsd: 0.1 });
    const { budget, start } = todos({}, earlier);
    expect(budget.allocate(share, earlier).left).toEqual({ modelCalls: 5, tokens: 1_000, costUsd: 0.1, downloads: 4 });
    expect(start(1).limits).toMatchObject({ modelCalls: 25, tokens: 5_000, downloads: 8 });
    const again = budget.allocate(share, earlier);
    expect(start(2).limits).toEqual({ modelCalls: 0, tokens: 0, costUsd: 0, downloads: 0 });
    again.release();
    expect(start(1).limits).toMatchObject({ modelCalls: 0, tokens: 0, downloads: 0 });
  });

  it("lends, call by call, what no waiting todo needs, with an average call's tokens and money, and takes it back", () => {
    const { start } = todos({ modelCalls: 20 }, {}, () => 1);
    const first = start(2);
    expect(first.limits).toMatchObject({ modelCalls: 7, tokens: 3_500, downloads: 6 });
    expect([1, 1, 1, 1, 1].map(() => first.borrow())).toEqual([true, true, false, false, false]);
    expect(first.left).toEqual({ modelCalls: 9, tokens: 4_500, costUsd: 0.35 + (2 * 0.35) / 7, downloads: 6 });
    first.release();
    expect(start(1).limits).toMatchObject({ modelCalls: 14, tokens: 7_000 });
  });

  it("lends downloads as they are needed, and keeps some for each todo that has taken none", () => {
    const { budget } = todos({ downloads: 20 }, {}, () => 2);
    const share = { modelCalls: 1, tokens: 100, costUsd: 0, downloads: 0 };
    const [first, second] = [budget.allocate(share), budget.allocate(share)];
    // Three for each of the two that wait and for the second.
    expect([first.takeDownloads(12), first.takeDownloads(3)]).toEqual([11, 0]);
    first.returnDownloads(4);
    expect(second.takeDownloads(12)).toBe(7);
    second.release();
    expect(
      todos({ downloads: 3 }, {}, () => 2)
        .budget.allocate(share)
        .takeDownloads(12),
    ).toBe(1);
  });

  it.each([
    [6, [1, 1, 1, 0, 1, 1, 1, 0]],
    [12, [2, 1, 2, 1, 2, 1, 2, 1]],
    [60, [12, 12, 12, 12, 3, 3, 3, 3]],
  ])("divides %i downloads among eight todos so that none takes what is kept for the others", (downloads, expected) => {
    let waiting = 4;
    const { budget } = todos({ downloads }, {}, () => waiting);
    const share = { modelCalls: 1, tokens: 100, costUsd: 0, downloads: 0 };
    const started = [1, 2, 3, 4].map(() => budget.allocate(share));
    const taken = started.map((todo) => todo.takeDownloads(12));
    for (; waiting > 0; ) {
      waiting -= 1;
      taken.push(budget.allocate(share).takeDownloads(12));
    }
    expect(taken).toEqual(expected);
  });

  it("keeps calls as it keeps downloads: for each todo that waits, and for each that has read nothing as far as it has less", () => {
    const { budget } = todos({ modelCalls: 46 }, {}, () => 2);
    const share = { modelCalls: 3, tokens: 100, costUsd: 0, downloads: 0 };
    const [first, second] = [budget.allocate(share), budget.allocate(share)];
    // 40 calls for todos, of which 6 are given out: five are kept for each of the two that wait, and two for the second.
    expect(first.takeCallsToGather(4)).toBe(4);
    expect(first.takeCallsToGather(100)).toBe(3 - 2 + (34 - 5 * 2 - 2));
    second.takeDownloads(1);
    expect(first.takeCallsToGather(100)).toBe(3 - 2 + (34 - 5 * 2));
    expect(second.takeCallsToGather(100)).toBe(3 - 2);
    second.release();
  });

  it("lends nothing to a call that would not fit even with all that can be lent", () => {
    const { start } = todos({ modelCalls: 20 }, {}, () => 1);
    const first = start(2);
    const before = first.left;
    expect(first.borrowUntil(() => first.left.tokens > 1_000_000)).toBe(false);
    expect(first.left).toEqual(before);
    expect(first.borrowUntil(() => first.left.modelCalls >= 9)).toBe(true);
    expect(first.left).toMatchObject({ modelCalls: 9, tokens: 4_500 });
    expect(first.borrow()).toBe(false);
  });

  it("lends no call if no tokens or no money are left for it", () => {
    const { start } = todos({ tokens: 2_000, costUsd: null });
    const first = start(1);
    first.spend(spent({ modelCalls: 1, inputTokens: 3_000 }));
    const second = todos({ modelCalls: 20 }, { inputTokens: 8_000 });
    expect([first.borrow(), second.start(2).borrow()]).toEqual([false, false]);
  });

  it("does not let a todo spend more than the run has left", () => {
    const ceiling = () => ({ ...LIMITS, modelCalls: 2, tokens: 500 });
    const pool = Budget.ofTodos(LIMITS, NOTHING_SPENT, 0, { ceiling });
    expect(pool.allocate(pool.share(2)).left).toMatchObject({ modelCalls: 2, tokens: 500, downloads: 6 });
  });
});

describe("the budget of a team", () => {
  it("reserves the supervisor's call, and gives each child one call while calls are left", () => {
    const shares = (modelCalls: number) => Budget.ofChildren({ ...LIMITS, modelCalls }, NOTHING_SPENT, 11).share(3, 1);
    expect(shares(10)).toEqual({ modelCalls: 3, tokens: 2_333, costUsd: 0.7 / 3, downloads: 1 });
    expect(shares(2)).toMatchObject({ modelCalls: 1 });
    expect(shares(1)).toMatchObject({ modelCalls: 0 });
  });
});

describe("a call", () => {
  const refusal = (limits: Partial<Amounts>, before: Partial<Spent>, purpose: "gather" | "write" = "gather") =>
    Budget.ofRun({ ...LIMITS, ...limits }, spent(before)).limitExceededBy(purpose, CALL);

  it("is refused while gathering if only the reserve for writing is left: two calls, 30 % of tokens and of money", () => {
    expect(refusal({ modelCalls: 10 }, { modelCalls: 7 })).toBeNull();
    expect(refusal({ modelCalls: 10 }, { modelCalls: 8 })).toBe("model_call_cap");
    expect(refusal({ modelCalls: 10 }, { modelCalls: 8 }, "write")).toBeNull();
    expect([0, 1, 2, 3].map((modelCalls) => refusal({ modelCalls }, {}))).toEqual(["model_call_cap", "model_call_cap", null, null]);
    expect(refusal({}, { inputTokens: 6_900 })).toBe("token_budget");
    expect(refusal({}, { inputTokens: 6_900 }, "write")).toBeNull();
    expect(refusal({}, { costUsd: 0.695 })).toBe("cost_budget");
    expect(refusal({ costUsd: null }, { costUsd: 9 })).toBeNull();
  });

  it("is charged to the budget of its nested run, or to the run's", () => {
    const part = new Budget({ ...LIMITS, modelCalls: 1 });
    expect(budgetOf(LIMITS, { spent: () => NOTHING_SPENT, budget: part })).toBe(part);
    expect(budgetOf(LIMITS, { spent: () => spent({ modelCalls: 3 }) }).left.modelCalls).toBe(37);
  });
});

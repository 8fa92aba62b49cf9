import type { Effects, RunContext } from "../domain/ports/effects.ts";
import type { Limits } from "../domain/request.ts";
import { addSpent, type Spent } from "../domain/spent.ts";

/** What a share can grow by. */
export type Loan = Pick<Limits, "modelCalls" | "tokens" | "costUsd">;

/** What a part of a run may spend: `limits` are its own, `whole` those of the run. */
export interface Share {
  readonly limits: Limits;
  readonly whole: Limits;
  /** More than that, from what others can spare; null where they cannot. */
  readonly lend?: () => Loan | null;
}

/**
 * The run as a part of it sees it. `earlier` is what the part has spent before a wait of the run. What has been spent is what the part
 * itself has spent, or what is gone of its share because the rest of the run has spent more than its own: so neither the share nor the
 * whole is overdrawn. What was lent to it counts as not spent.
 */
export function withinShare(run: RunContext, share: Share, earlier: Spent): RunContext {
  let own = earlier;
  let lent = lentBefore(share.limits, earlier);
  let open = 0;
  const counted = async <T>(kind: string, perform: () => Promise<T>): Promise<T> => {
    if (kind !== "model") return perform();
    open += 1;
    try {
      const result = await perform();
      own = addSpent(own, { kind, ok: true, result: result as never });
      return result;
    } catch (error) {
      own = addSpent(own, { kind, ok: false, result: null });
      throw error;
    } finally {
      open -= 1;
    }
  };
  const within = (effects: Effects): Effects => ({
    ...effects,
    perform: (effect) => counted(effect.kind, () => effects.perform(effect)),
    stream: (effect) => counted(effect.kind, () => effects.stream(effect)),
    // Readers are told of the whole run.
    emit: (event) => effects.emit(event.type === "usage" ? { ...event, spent: effects.spent() } : event),
    spent: () => without(lent, larger({ ...own, modelCalls: own.modelCalls + open }, goneOf(share, lent, effects.spent()))),
    lend: () => {
      const more = share.lend?.() ?? null;
      if (more === null) return false;
      lent = together(lent, more);
      return true;
    },
  });
  return { task: (place, body) => run.task(place, (effects) => body(within(effects))) };
}

/** What a part has spent beyond its own must have been lent to it. */
function lentBefore({ modelCalls, tokens, costUsd }: Limits, earlier: Spent): Loan {
  return {
    modelCalls: Math.max(0, earlier.modelCalls - modelCalls),
    tokens: Math.max(0, earlier.inputTokens + earlier.outputTokens - tokens),
    costUsd: costUsd === null ? null : Math.max(0, earlier.costUsd - costUsd),
  };
}

/** What others have taken of the share and of what was lent to it. */
function goneOf({ limits, whole }: Share, lent: Loan, spent: Spent): Spent {
  const has = together(limits, lent);
  return {
    modelCalls: Math.max(0, spent.modelCalls - (whole.modelCalls - has.modelCalls)),
    inputTokens: Math.max(0, spent.inputTokens + spent.outputTokens - (whole.tokens - has.tokens)),
    outputTokens: 0,
    costUsd: Math.max(0, spent.costUsd - ((whole.costUsd ?? 0) - (has.costUsd ?? 0))),
  };
}

function together(one: Loan, other: Loan): Loan {
  return {
    modelCalls: one.modelCalls + other.modelCalls,
    tokens: one.tokens + other.tokens,
    costUsd: one.costUsd === null ? null : one.costUsd + (other.costUsd ?? 0),
  };
}

function without(lent: Loan, spent: Spent): Spent {
  return {
    modelCalls: spent.modelCalls - lent.modelCalls,
    inputTokens: spent.inputTokens - lent.tokens,
    outputTokens: spent.outputTokens,
    costUsd: spent.costUsd - (lent.costUsd ?? 0),
  };
}

function larger(one: Spent, other: Spent): Spent {
  const tokens = (spent: Spent): number => spent.inputTokens + spent.outputTokens;
  const { inputTokens, outputTokens } = tokens(one) >= tokens(other) ? one : other;
  return {
    modelCalls: Math.max(one.modelCalls, other.modelCalls),
    inputTokens,
    outputTokens,
    costUsd: Math.max(one.costUsd, other.costUsd),
  };
}

import type { Effects } from "../domain/ports/effects.ts";
import type { RunContext } from "../domain/ports/run-context.ts";
import type { Limits } from "../domain/request.ts";
import { addSpent, type Spent } from "../domain/spent.ts";

/** What a part of a run may spend: `limits` are its own, `whole` those of the run. */
export interface Share {
  readonly limits: Limits;
  readonly whole: Limits;
}

/**
 * The run as a part of it sees it. `earlier` is what the part has spent before a wait of the run. What has been spent is what the part itself has spent, or what is gone of its share because the rest
 * of the run has spent more than its own: so neither the share nor the whole is overdrawn.
 */
export function withinShare(run: RunContext, share: Share, earlier: Spent): RunContext {
  let own = earlier;
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
    spent: () => larger({ ...own, modelCalls: own.modelCalls + open }, goneOf(share, effects.spent())),
  });
  return { task: (place, body) => run.task(place, (effects) => body(within(effects))) };
}

/** What others have taken of the share. */
function goneOf({ limits, whole }: Share, spent: Spent): Spent {
  const tokens = spent.inputTokens + spent.outputTokens - (whole.tokens - limits.tokens);
  return {
    modelCalls: Math.max(0, spent.modelCalls - (whole.modelCalls - limits.modelCalls)),
    inputTokens: Math.max(0, tokens),
    outputTokens: 0,
    costUsd: Math.max(0, spent.costUsd - ((whole.costUsd ?? 0) - (limits.costUsd ?? 0))),
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

import type { JsonValue } from "../../src/domain/json.ts";
import type { Analyst, DecisionView } from "../../src/domain/ports/analyst.ts";
import { createExtractiveAnalyst } from "../../src/quoting/analyst.ts";

export type ScriptedCall = readonly [tool: string, args: JsonValue];

export interface ScriptedAnalyst extends Analyst {
  /** The view of each decision. */
  readonly views: DecisionView[];
}

/** Decides by its script, one entry per round and nothing after the last; writes like the extractive analyst. */
export function scriptedAnalyst(script: readonly (readonly ScriptedCall[])[]): ScriptedAnalyst {
  const views: DecisionView[] = [];
  return {
    name: `scripted ${JSON.stringify(script)}`,
    views,
    async decide(view) {
      views.push(structuredClone(view));
      const calls = (script[view.round] ?? []).map(([name, args], index) => ({ id: `call-${view.round}-${index}`, name, arguments: args }));
      return { calls, reason: calls.length > 0 ? "as scripted" : "the script has ended" };
    },
    write: createExtractiveAnalyst().write,
  };
}

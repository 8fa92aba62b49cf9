import type { Decision, DecisionView } from "../../domain/ports/analyst.ts";
import type { ToolCall } from "../../domain/tool.ts";

/** The arguments of each call to make of a tool; none where nothing in the question clearly asks for it. */
export type ToolRule = (view: DecisionView) => readonly ToolCall["arguments"][];

/** By the name of the tool. A tool without a rule is never called. */
export type ToolRules = Readonly<Record<string, ToolRule>>;

/**
 * Asks for the tools whose rules see their cue in the question: one tool a round, in the order of `rules`, each once. A
 * tool that has been called is not called again, whatever came of it, because rules would only repeat themselves.
 */
export function decideByRules(rules: ToolRules, view: DecisionView): Decision {
  const called = new Set(view.outcomes.map(({ name }) => name));
  const offered = new Set(view.tools.map(({ name }) => name));
  for (const [name, rule] of Object.entries(rules)) {
    if (!offered.has(name) || called.has(name)) continue;
    const calls = rule(view).map((args, i) => ({ id: `rule-${view.round}-${name}${i === 0 ? "" : `-${i + 1}`}`, name, arguments: args }));
    if (calls.length > 0) return { calls, reason: `The question calls for ${name}.` };
  }
  return { calls: [], reason: explain(view, called.size) };
}

function explain(view: DecisionView, called: number): string {
  if (called > 0) return "The tools that the question calls for have been called.";
  return view.tools.length === 0 ? "No optional tool is offered." : "Nothing in the question calls for an optional tool.";
}

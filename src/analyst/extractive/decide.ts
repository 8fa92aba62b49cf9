import type { Decision, DecisionView } from "../../domain/ports/analyst.ts";
import type { ToolCall } from "../../domain/tool.ts";

/** The arguments to call a tool with, or null where nothing in the question clearly asks for it. */
export type ToolRule = (view: DecisionView) => ToolCall["arguments"];

/** By the name of the tool. A tool without a rule is never called. */
export type ToolRules = Readonly<Record<string, ToolRule>>;

/**
 * Asks for each offered tool whose rule sees its cue in the question, once: a tool that has been called is not called
 * again, whatever came of it, because rules would only repeat themselves.
 */
export function decideByRules(rules: ToolRules, view: DecisionView): Decision {
  const called = new Set(view.outcomes.map(({ name }) => name));
  const calls = view.tools.flatMap(({ name }) => {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    const args = rule && !called.has(name) ? rule(view) : null;
    return args === null ? [] : [{ id: `rule-${view.round}-${name}`, name, arguments: args }];
  });
  return {
    calls,
    reason: explain(
      view,
      called.size,
      calls.map(({ name }) => name),
    ),
  };
}

function explain(view: DecisionView, called: number, asked: readonly string[]): string {
  if (asked.length > 0) return `The question calls for ${asked.join(", ")}.`;
  if (called > 0) return "The tools that the question calls for have been called.";
  return view.tools.length === 0 ? "No optional tool is offered." : "Nothing in the question calls for an optional tool.";
}

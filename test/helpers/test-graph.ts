import type { BaseCheckpointSaver } from "@langchain/langgraph";
import type { Effects } from "../../src/domain/ports/effects.ts";
import type { GraphDefinition, RunnableGraph } from "../../src/graphs/registry.ts";
import { NO_BLOCKS } from "./claims.ts";
import { coverage } from "./coverage.ts";

const NOTHING = {
  ...NO_BLOCKS,
  claims: [],
  citations: [],
  closest: [],
  sources: [],
  coverage: coverage(),
  ledger: [],
};

/** A graph of a test for the engine; its report's text is what `report` returns for the final state. */
export function testGraph<State>(options: {
  readonly name?: string;
  readonly fingerprint?: string;
  readonly compile: (checkpointer: BaseCheckpointSaver) => RunnableGraph;
  readonly input: Record<string, unknown>;
  readonly report: (state: State) => string;
}): (checkpointer: BaseCheckpointSaver) => GraphDefinition {
  const { name = "test", fingerprint = "1", compile, input, report } = options;
  return (checkpointer) => ({
    name,
    description: "a graph of a test",
    needsModel: false,
    roles: [],
    minSteps: 1,
    graph: compile(checkpointer),
    picture: { name, description: "", nodes: [], edges: [], mermaid: "" },
    fingerprint,
    input: () => input,
    outcome: (state) => ({
      termination: { reason: "completed", node: null, detail: null },
      report: { ...NOTHING, markdown: report(state as State) },
    }),
  });
}

/** Emits an event whose only content is its text. */
export function note(effects: Effects, text: string): void {
  effects.emit({ type: "content", node: "test", callId: "note", try: 1, delta: text });
}

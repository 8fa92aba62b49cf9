import { useWords } from "../i18n/language.tsx";
import { defineWords } from "../i18n/words.ts";

const words = defineWords(
  { executor: "Direct", research: "Planned", agent: "Agent", team: "Team" },
  { executor: "直接回答", research: "先定计划", agent: "智能体", team: "团队" },
);

/** Names a method by what it does. Graphs of others keep their own names. */
export function useGraphName(): (graph: string) => string {
  const say = useWords(words);
  return (graph) => (Object.hasOwn(words.en, graph) ? say(graph as keyof (typeof words)["en"]) : graph);
}

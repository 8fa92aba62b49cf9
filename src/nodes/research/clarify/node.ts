import { interrupt } from "@langchain/langgraph";
import type { GraphNode } from "../../../domain/ports/node.ts";
import { stripUnknownAddresses } from "../../../evidence/address-filter.ts";
import type { ResearchStateValue, ResearchUpdate } from "../state.ts";

const MAX_ANSWER_LENGTH = 8_000;

/** Asks the user what the planner wants to know; the answer goes to the planner. */
export function createClarifyNode(): GraphNode<ResearchStateValue, ResearchUpdate> {
  return async ({ question, task }) => {
    const shown = stripUnknownAddresses(question ?? "", [task.question]);
    const answer: unknown = interrupt({ kind: "question", prompt: shown, path: "", plan: null, call: null });
    const told = (typeof answer === "string" ? answer : JSON.stringify(answer)).slice(0, MAX_ANSWER_LENGTH).toWellFormed();
    return { steps: 1, question: null, asked: [{ question: question ?? "", answer: told }] };
  };
}

import { interrupt } from "@langchain/langgraph";
import { z } from "zod";
import type { Task } from "../../domain/task.ts";
import type { ConsentDecision, ToolCall } from "../../domain/tool.ts";
import { stripUnknownAddresses } from "../../evidence/address-filter.ts";
import { markMarkdown } from "../../evidence/sanitize-output.ts";
import { isChinese } from "../../ranking/language.ts";

/** Both limits are in UTF-16 code units. */
const MAX_ANSWER_LENGTH = 8_000;
const MAX_REASON_LENGTH = 2_000;

/** LangGraph's `interrupt` throws here. Once the user has answered, the node runs again from its start. */
export function askQuestion(question: string, known: readonly string[]): string {
  const prompt = markMarkdown(question, known);
  const answer: unknown = interrupt({ kind: "question", prompt, path: "", plan: null, call: null });
  return (typeof answer === "string" ? answer : JSON.stringify(answer)).slice(0, MAX_ANSWER_LENGTH).toWellFormed();
}

const AnswerSchema = z.object({ approve: z.boolean(), reason: z.string().catch("") });

/** Asks the user for consent to a call and shows its arguments unfiltered. */
export function askForConsent({ id: callId, name, arguments: args }: ToolCall, task: Pick<Task, "language" | "question">): ConsentDecision {
  const tool = stripUnknownAddresses(name, []);
  const prompt = isChinese(task)
    ? `工具 ${tool} 可能会修改数据。是否同意用这些参数调用它？`
    : `The tool ${tool} may change something. May it be called with these arguments?`;
  const answer: unknown = interrupt({ kind: "confirmation", prompt, path: "", plan: null, call: { tool: name, arguments: args } });
  const { approve, reason } = AnswerSchema.catch({ approve: false, reason: "" }).parse(answer);
  return { callId, approve, reason: reason.slice(0, MAX_REASON_LENGTH).toWellFormed().trim() };
}

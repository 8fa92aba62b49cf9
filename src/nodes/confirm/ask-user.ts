import { interrupt } from "@langchain/langgraph";
import { z } from "zod";
import type { Task } from "../../domain/request.ts";
import type { ToolCall, Verdict } from "../../domain/tool.ts";
import { stripUnknownAddresses } from "../../evidence/address-filter.ts";
import { resolveLanguage } from "../../ranking/language.ts";

const MAX_REASON_LENGTH = 2_000;

const AnswerSchema = z.object({ approve: z.boolean(), reason: z.string().catch("") });

/**
 * What the user says to a call that would change something. The arguments are shown as they would be sent, addresses included: who
 * agrees has to see to what. Until the answer is there this throws, as LangGraph's interrupts do.
 */
export function askToAgree({ id: callId, name, arguments: args }: ToolCall, task: Pick<Task, "language" | "question">): Verdict {
  const tool = stripUnknownAddresses(name, []);
  const prompt = promptFor(tool, resolveLanguage(task.language, task.question));
  const answer: unknown = interrupt({ kind: "confirmation", prompt, path: "", plan: null, call: { tool: name, arguments: args } });
  const { approve, reason } = AnswerSchema.catch({ approve: false, reason: "" }).parse(answer);
  return { callId, approve, reason: reason.slice(0, MAX_REASON_LENGTH).toWellFormed().trim() };
}

function promptFor(tool: string, language: string): string {
  return /^zh\b/i.test(language)
    ? `工具 ${tool} 可能会修改数据。是否同意用这些参数调用它？`
    : `The tool ${tool} may change something. May it be called with these arguments?`;
}

import type { ChatMessage } from "./chat.ts";
import { type ConversationMessage, spokenMessages } from "./conversation.ts";
import { answerText, type Report } from "./report.ts";
import type { Turn } from "./task.ts";

export const MAX_TURNS = 10;
// In UTF-16 code units.
const MAX_STORED_LENGTH = 4_000;
const MAX_PROMPT_LENGTH = 2_000;
/** Replaces an empty message, which model servers refuse. */
const PLACEHOLDER = "…";

/** Pairs questions with answers, either of which may be empty. */
export function conversationTurns(messages: readonly ConversationMessage[]): Turn[] {
  const written = spokenMessages(messages)
    .map(({ role, content }) => ({ role, content: content.trim().toWellFormed() }))
    .filter(({ content }) => content !== "");
  const turns: Turn[] = [];
  for (const { role, content } of written) {
    const open = turns.at(-1);
    if (role === "user") turns.push({ question: content, answer: "" });
    else if (open === undefined) turns.push({ question: "", answer: content });
    else open.answer = open.answer === "" ? content : `${open.answer}\n\n${content}`;
  }
  return turns.slice(-MAX_TURNS).map((turn) => ({ question: storedText(turn.question), answer: storedText(turn.answer) }));
}

export function runToTurn({ question, report }: { readonly question: string; readonly report: Report | null }): Turn {
  return { question, answer: report === null ? "" : storedText(answerText(report)) };
}

function storedText(text: string): string {
  return text.slice(0, MAX_STORED_LENGTH).toWellFormed();
}

export function historyMessages(history: readonly Turn[], clean: (answer: string) => string): ChatMessage[] {
  return history.flatMap(({ question, answer }): ChatMessage[] => [
    { role: "user", content: promptText(question) },
    { role: "assistant", content: promptText(clean(answer)), toolCalls: [] },
  ]);
}

function promptText(text: string): string {
  const cut = text.length > MAX_PROMPT_LENGTH ? `${text.slice(0, MAX_PROMPT_LENGTH).toWellFormed()}…` : text;
  return cut.trim() || PLACEHOLDER;
}

/** Several are used, because one earlier question may be a follow-up itself. */
const MAX_EARLIER_QUESTIONS = 3;

export function earlierQuestions(history: readonly Turn[]): string {
  return history
    .slice(-MAX_EARLIER_QUESTIONS)
    .map(({ question }) => question)
    .join(" ");
}

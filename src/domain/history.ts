import type { ChatMessage } from "./chat.ts";
import { answerText, type Report } from "./report.ts";
import type { ConversationMessage, Turn } from "./request.ts";

/** Earlier turns that a run gets, from its thread and from its request. */
export const MAX_TURNS = 10;
/** In UTF-16 code units, like the next limit. */
const MAX_KEPT_LENGTH = 4_000;
const MAX_TOLD_LENGTH = 2_000;
/** Model servers refuse a message without content. */
const NOTHING = "…";

/**
 * The last turns of a conversation from another system. Consecutive answers are joined; a question or answer without its counterpart gets
 * an empty one. A last message that equals `question` is not a turn.
 */
export function conversationTurns(messages: readonly ConversationMessage[], question: string): Turn[] {
  const said = messages
    .map(({ role, content }) => ({ role, content: content.trim().toWellFormed() }))
    .filter(({ content }) => content !== "");
  const last = said.at(-1);
  if (last?.role === "user" && last.content === question.trim().toWellFormed()) said.pop();
  const turns: Turn[] = [];
  for (const { role, content } of said) {
    const open = turns.at(-1);
    if (role === "user") turns.push({ question: content, answer: "" });
    else if (open === undefined) turns.push({ question: "", answer: content });
    else open.answer = open.answer === "" ? content : `${open.answer}\n\n${content}`;
  }
  return turns.slice(-MAX_TURNS).map((turn) => ({ question: kept(turn.question), answer: kept(turn.answer) }));
}

export function runToTurn({ question, report }: { readonly question: string; readonly report: Report | null }): Turn {
  return { question, answer: report === null ? "" : kept(answerText(report)) };
}

function kept(text: string): string {
  return text.slice(0, MAX_KEPT_LENGTH).toWellFormed();
}

/** Turns as chat messages, cut to length. `clean` removes what no model should see. */
export function historyMessages(history: readonly Turn[], clean: (answer: string) => string): ChatMessage[] {
  return history.flatMap(({ question, answer }): ChatMessage[] => [
    { role: "user", content: told(question) },
    { role: "assistant", content: told(clean(answer)), toolCalls: [] },
  ]);
}

function told(text: string): string {
  const cut = text.length > MAX_TOLD_LENGTH ? `${text.slice(0, MAX_TOLD_LENGTH).toWellFormed()}…` : text;
  return cut.trim() || NOTHING;
}

/** The last question may be a follow-up too. */
const QUESTIONS_BEFORE = 3;

/** The last questions of a thread, oldest first: context for a follow-up such as "And how tall is it?". */
export function earlierQuestions(history: readonly Turn[]): string {
  return history
    .slice(-QUESTIONS_BEFORE)
    .map(({ question }) => question)
    .join(" ");
}

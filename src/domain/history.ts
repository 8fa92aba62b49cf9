import type { ChatMessage } from "./chat.ts";
import { answerText, type Report } from "./report.ts";
import type { ConversationMessage, Turn } from "./request.ts";

/** How many earlier turns a run is given of its thread, and of the messages that came with its request. */
export const MAX_TURNS = 10;
/** The most of an earlier answer that a run is given, in UTF-16 code units. */
const MAX_KEPT_LENGTH = 4_000;
/** The most of an earlier question or answer that a model is told again, in UTF-16 code units. */
const MAX_TOLD_LENGTH = 2_000;
/** Servers refuse a message without content. */
const NOTHING = "…";

/**
 * The last turns of a conversation that was kept elsewhere. Answers in a row are joined; a question that was not answered has an empty
 * answer, and an answer before the first question has an empty question. Where the conversation ends with `question` itself, that is
 * no earlier turn.
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

/** An ended run as a turn of the conversation, for later runs of its thread. */
export function runToTurn({ question, report }: { readonly question: string; readonly report: Report | null }): Turn {
  return { question, answer: report === null ? "" : kept(answerText(report)) };
}

/** As much of an earlier answer as a run is given. */
function kept(text: string): string {
  return text.slice(0, MAX_KEPT_LENGTH).toWellFormed();
}

/** Turns as a model is told them again; what is long is cut. `clean` takes out of an answer what no model shall be told. */
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

/** A follow-up may be about any of so many questions before it: the last ones may be follow-ups too. */
const QUESTIONS_BEFORE = 3;

/** The last questions of a thread, oldest first, which "And how tall is it?" may be about; empty where there are none. */
export function earlierQuestions(history: readonly Turn[]): string {
  return history
    .slice(-QUESTIONS_BEFORE)
    .map(({ question }) => question)
    .join(" ");
}

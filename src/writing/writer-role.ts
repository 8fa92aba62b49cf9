import type { ChatReply, ChatRequest } from "../domain/chat.ts";
import type { WritingView } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { RenderPrompt } from "../domain/ports/models.ts";
import { type Answers, statedAnswers } from "../domain/report.ts";
import type { ModelRole } from "../domain/roles.ts";
import { readClosingLines } from "../evidence/closing-lines.ts";
import type { Evidence } from "../evidence/quote-location.ts";
import { sanitizeText } from "../evidence/sanitize-output.ts";
import { keepKnownLines } from "../evidence/unknown-references.ts";
import { languageName } from "../ranking/language.ts";
import { finishInTurns, type LongWork } from "../util/turns.ts";
import { CitedProseFilter, type StreamContext } from "./cited-prose.ts";
import { selectPassages, showPassages } from "./passages.ts";

export interface CitedAnswer {
  /** The text without its closing lines. */
  readonly text: string;
  /** The model's answer if `text` is only a part of it; otherwise `""`. */
  readonly whole: string;
  /** Tells the model why the text is missing or incomplete; null if it is usable. */
  readonly fault: string | null;
  readonly cutOff?: boolean;
  readonly answers: Answers | null;
  readonly missing: readonly string[];
}

export interface ReportDisplay {
  push(piece: string): void;
  end(): Promise<void>;
  restart(reason: string): void;
  /** Shows the answer that was chosen. `last`: it is the one that `push` has just shown. */
  finish?(answer: CitedAnswer, last: boolean): void;
}

export interface WriterRole {
  readonly role: ModelRole;
  readonly node: string;
  readonly schema: ChatRequest["schema"];
  /** What a call of this role may use of the budget. */
  readonly purpose: "gather" | "write";
  /** Whether the model may correct sentences that their quotes do not support. */
  readonly mayCorrect: boolean;
  readonly otherTokens: number;
  /** Chooses what to show, in the order in which it is shown, of at most `tokens` tokens. */
  choose(tokens: number, signal: AbortSignal): Promise<readonly Evidence[]>;
  system(): Promise<string>;
  userMessage(passages: readonly Evidence[]): Promise<string>;
  openDisplay(context: StreamContext, effects: Effects): ReportDisplay;
  read(reply: ChatReply, known: readonly string[]): LongWork<CitedAnswer>;
}

/** What roles have in common that write a text from passages. */
export const TEXT_OF_PASSAGES = { purpose: "write", mayCorrect: true, otherTokens: 0 } as const;

export const WRITER = { model: "writer", stage: "summarize" } as const;

export function createWriterRole(view: WritingView, prompts: RenderPrompt): WriterRole {
  const { question, history, readings, systemContext, today } = view;
  const { model: role, stage: node } = WRITER;
  return {
    role,
    node,
    schema: null,
    ...TEXT_OF_PASSAGES,
    choose: (tokens, signal) => selectPassages(view, tokens, signal),
    system: () => prompts("writer", { language: languageName(view), today, systemContext }, view.prompts),
    userMessage: (passages) => prompts("messages/writer-passages", { passages: showPassages(passages, readings), question }),
    openDisplay: (context, effects) => createDraftDisplay(node, context, effects),
    *read({ content }, known) {
      const { text, answers, missing } = yield* readClosingLines(content);
      const clean = missing.map((line) => sanitizeText(line, known).trim()).filter((line) => line !== "");
      const texts = [question, today, systemContext, ...history.flatMap((turn) => [turn.question, turn.answer])];
      const documents = readings.map(({ document }) => document.text);
      // Pages may have planted details.
      const kept = yield* keepKnownLines(clean, { texts, addresses: known, documents });
      return { text, whole: content, fault: null, answers: statedAnswers(answers, kept), missing: kept };
    },
  };
}

export function createDraftDisplay(node: string, context: StreamContext, effects: Effects): ReportDisplay {
  const callId = effects.nextId();
  let number = 1;
  let prose = new CitedProseFilter(context);
  const emit = (blocks: readonly string[]): void => {
    for (const delta of blocks) effects.emit({ type: "content", node, callId, try: number, delta });
  };
  return {
    push: (piece) => emit(prose.push(piece)),
    end: async () => emit(await finishInTurns(prose.end(), effects.signal)),
    restart(reason) {
      number += 1;
      prose = new CitedProseFilter(context);
      effects.emit({ type: "call-restarted", callId, try: number, reason });
    },
  };
}

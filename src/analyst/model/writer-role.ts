import type { ChatReply, ChatRequest } from "../../domain/chat.ts";
import type { WritingView } from "../../domain/ports/analyst.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { RenderPrompt } from "../../domain/ports/models.ts";
import type { ModelRole } from "../../domain/roles.ts";
import type { Evidence } from "../../evidence/quote-location.ts";
import { languageName } from "../../ranking/language.ts";
import { CitedProseFilter, type StreamContext } from "./cited-report.ts";
import { type CitedPlace, showPassages } from "./passages.ts";

export interface CitedAnswer {
  readonly text: string;
  /** Empty if `text` is the whole answer. */
  readonly whole: string;
  /** Why the text is missing or incomplete, in words for the model. */
  readonly fault: string | null;
  readonly cutOff?: boolean;
  readonly unanswered: readonly string[];
}

export interface ReportDisplay {
  push(piece: string): void;
  end(): void;
  restart(reason: string): void;
  /** The text that counts; `last` if it is the one just shown. */
  finish?(answer: CitedAnswer, last: boolean): void;
}

/** How a role writes a cited text: its prompt, its display, and the place of the text in the answer. */
export interface WriterRole {
  readonly role: ModelRole;
  readonly node: string;
  readonly form: ChatRequest["schema"];
  /** Already cited; should be among the passages. */
  readonly cited: readonly CitedPlace[];
  readonly otherTokens: number;
  system(): Promise<string>;
  userMessage(passages: readonly Evidence[]): Promise<string>;
  correction(faults: string): Promise<string>;
  openDisplay(context: StreamContext, effects: Effects): ReportDisplay;
  read(reply: ChatReply, known: readonly string[]): CitedAnswer;
}

export function createWriterRole(view: WritingView, prompts: RenderPrompt): WriterRole {
  const { question, readings, systemContext } = view;
  const node = "summarize";
  return {
    role: "writer",
    node,
    form: null,
    cited: [],
    otherTokens: 0,
    system: () => prompts("writer", { language: languageName(view), systemContext }),
    userMessage: (passages) => prompts("messages/writer-passages", { passages: showPassages(passages, readings), question }),
    correction: (faults) => prompts("messages/writer-correction", { faults }),
    openDisplay: (context, effects) => createDraftDisplay(node, context, effects),
    read: ({ content }) => ({ text: content, whole: "", fault: null, unanswered: [] }),
  };
}

/** Emits sentences with a citation that holds, in events `content`. */
function createDraftDisplay(node: string, context: StreamContext, effects: Effects): ReportDisplay {
  const callId = effects.nextId();
  let number = 1;
  let prose = new CitedProseFilter(context);
  const emit = (sentences: readonly string[]): void => {
    for (const delta of sentences) effects.emit({ type: "content", node, callId, try: number, delta });
  };
  return {
    push: (piece) => emit(prose.push(piece)),
    end: () => emit(prose.end()),
    restart(reason) {
      number += 1;
      prose = new CitedProseFilter(context);
      effects.emit({ type: "call-restarted", callId, try: number, reason });
    },
  };
}

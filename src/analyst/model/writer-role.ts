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
  readonly given: string;
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
  whole?(said: CitedAnswer, last: boolean): void;
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
  shown(context: StreamContext, effects: Effects): ReportDisplay;
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
    shown: (context, effects) => new DraftDisplay(node, context, effects),
    read: ({ content }) => ({ text: content, given: "", fault: null, unanswered: [] }),
  };
}

class DraftDisplay {
  readonly #node: string;
  readonly #context: StreamContext;
  readonly #effects: Effects;
  readonly #callId: string;
  #try = 1;
  #prose: CitedProseFilter;

  constructor(node: string, context: StreamContext, effects: Effects) {
    this.#node = node;
    this.#context = context;
    this.#effects = effects;
    this.#callId = effects.nextId();
    this.#prose = new CitedProseFilter(context);
  }

  push(piece: string): void {
    this.#emit(this.#prose.push(piece));
  }

  end(): void {
    this.#emit(this.#prose.end());
  }

  restart(reason: string): void {
    this.#try++;
    this.#prose = new CitedProseFilter(this.#context);
    this.#effects.emit({ type: "call-restarted", callId: this.#callId, try: this.#try, reason });
  }

  #emit(sentences: readonly string[]): void {
    for (const delta of sentences) this.#effects.emit({ type: "content", node: this.#node, callId: this.#callId, try: this.#try, delta });
  }
}

import type { ChatReply, ChatRequest } from "../../domain/chat.ts";
import type { WritingView } from "../../domain/ports/analyst.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { RenderPrompt } from "../../domain/ports/models.ts";
import type { ModelRole } from "../../domain/roles.ts";
import type { Evidence } from "../../evidence/quote-location.ts";
import { languageName } from "../../ranking/language.ts";
import { type Paper, ShownProse } from "./cited-report.ts";
import { type CitedPlace, showPassages } from "./passages.ts";

/** A cited text in an answer of the model. */
export interface Said {
  readonly text: string;
  /** The whole answer; empty if the text is all of it. */
  readonly given: string;
  /** Why the text is missing or incomplete, in words for the model. */
  readonly fault: string | null;
  /** Cut off, whatever the server's finish reason. */
  readonly cutOff?: boolean;
  readonly unanswered: readonly string[];
}

/** What readers see of a text while it is written. */
export interface ShownReport {
  push(piece: string): void;
  end(): void;
  /** Takes back what was shown. */
  restart(reason: string): void;
  /** The text that counts; `last` if it is the one that was shown. */
  whole?(said: Said, last: boolean): void;
}

/** How a role writes a cited text: its prompt, what readers see, and where the text stands in the answer. */
export interface Manner {
  readonly role: ModelRole;
  readonly node: string;
  readonly form: ChatRequest["schema"];
  /** Cited already, so it should be among the passages. */
  readonly cited: readonly CitedPlace[];
  /** Tokens in the prompt besides the passages, at most. */
  readonly besides: number;
  system(): Promise<string>;
  told(passages: readonly Evidence[]): Promise<string>;
  correction(faults: string): Promise<string>;
  shown(paper: Paper, effects: Effects): ShownReport;
  /** @param known addresses that may be named */
  read(reply: ChatReply, known: readonly string[]): Said;
}

/** Writes a report in Markdown. */
export function writerManner(view: WritingView, prompts: RenderPrompt): Manner {
  const { question, readings, systemContext } = view;
  const node = "summarize";
  return {
    role: "writer",
    node,
    form: null,
    cited: [],
    besides: 0,
    system: () => prompts("writer", { language: languageName(view), systemContext }),
    told: (passages) => prompts("messages/writer-passages", { passages: showPassages(passages, readings), question }),
    correction: (faults) => prompts("messages/writer-correction", { faults }),
    shown: (paper, effects) => new ShownDraft(node, paper, effects),
    read: ({ content }) => ({ text: content, given: "", fault: null, unanswered: [] }),
  };
}

class ShownDraft {
  readonly #node: string;
  readonly #paper: Paper;
  readonly #effects: Effects;
  readonly #callId: string;
  #try = 1;
  #prose: ShownProse;

  constructor(node: string, paper: Paper, effects: Effects) {
    this.#node = node;
    this.#paper = paper;
    this.#effects = effects;
    this.#callId = effects.nextId();
    this.#prose = new ShownProse(paper);
  }

  push(piece: string): void {
    this.#say(this.#prose.push(piece));
  }

  end(): void {
    this.#say(this.#prose.end());
  }

  restart(reason: string): void {
    this.#try++;
    this.#prose = new ShownProse(this.#paper);
    this.#effects.emit({ type: "call-restarted", callId: this.#callId, try: this.#try, reason });
  }

  #say(sentences: readonly string[]): void {
    for (const delta of sentences) this.#effects.emit({ type: "content", node: this.#node, callId: this.#callId, try: this.#try, delta });
  }
}

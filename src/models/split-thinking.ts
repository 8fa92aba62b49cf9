import type { ChatDelta } from "../domain/chat.ts";

const OPENING = ["<think>", "<thinking>", "<reasoning>"];
const CLOSINGS = ["</think>", "</thinking>", "</reasoning>"];
const CLOSING = /<\/(?:think(?:ing)?|reasoning)>/;
/** Matches a closing tag at the start or end of a line. A tag inside a sentence is only a mention. */
const LONE_CLOSING = /(?<=^|\n)[ \t]*<\/(?:think(?:ing)?|reasoning)>|<\/(?:think(?:ing)?|reasoning)>(?=[ \t]*(?:\n|$))/;
const LONGEST_CLOSING = "</reasoning>".length;

const MAX_HELD = 1_000;

type Parts = Pick<ChatDelta, "content" | "reasoning">;

/** Splits off reasoning in `<think>` or a similar tag at the start of the content. Tags may arrive in pieces. */
export class ThinkingSplitter {
  #state: "unknown" | "untagged" | "thinking" | "after" | "content";
  #held = "";
  #thought = false;

  /** @param lacksOpeningTag whether reasoning begins without `<think>`; then all text waits for the closing tag */
  constructor({ lacksOpeningTag = false } = {}) {
    this.#state = lacksOpeningTag ? "untagged" : "unknown";
  }

  push(piece: string): Parts {
    this.#held += piece;
    if (this.#state === "unknown" || this.#state === "untagged") this.#begin();
    if (this.#state === "thinking") return this.#think();
    if (this.#state === "unknown" || this.#state === "untagged") return { content: "", reasoning: "" };
    return { content: this.#takeContent(), reasoning: "" };
  }

  end(): Parts {
    const rest = this.#held;
    this.#held = "";
    if (this.#state === "thinking") return { content: "", reasoning: rest };
    return { content: this.#state === "after" ? rest.trimStart() : rest, reasoning: "" };
  }

  #begin(): void {
    const text = this.#held.trimStart();
    const tag = OPENING.find((one) => text.startsWith(one));
    const closing = CLOSINGS.some((one) => text.startsWith(one));
    if (tag !== undefined) {
      this.#state = "thinking";
      this.#held = text.slice(tag.length);
    } else if (closing || (this.#state === "untagged" && CLOSING.test(this.#held))) this.#state = "thinking";
    else if (this.#state === "untagged") return;
    else if (this.#held.length > MAX_HELD || ![...OPENING, ...CLOSINGS].some((one) => one.startsWith(text))) this.#state = "content";
  }

  #think(): Parts {
    if (!this.#thought) this.#held = this.#held.trimStart();
    const close = CLOSING.exec(this.#held);
    if (close === null) return { content: "", reasoning: this.#takeThought() };
    const reasoning = this.#held.slice(0, close.index).trimEnd();
    this.#held = this.#held.slice(close.index + close[0].length);
    this.#state = "after";
    return { content: this.#takeContent(), reasoning };
  }

  #takeThought(): string {
    const tag = this.#held.lastIndexOf("<");
    const sure = this.#held.slice(0, tag >= 0 && this.#held.length - tag < LONGEST_CLOSING ? tag : this.#held.length);
    const safe = sure.length > MAX_HELD ? sure : sure.trimEnd();
    this.#held = this.#held.slice(safe.length);
    this.#thought ||= safe !== "";
    return safe;
  }

  #takeContent(): string {
    if (this.#state === "after") {
      this.#held = this.#held.trimStart();
      if (this.#held !== "") this.#state = "content";
    }
    const content = this.#held;
    this.#held = "";
    return content;
  }
}

/** Returns null without a closing tag, or if the tag is in a code block or a sentence. */
export function splitAtClosingTag(content: string): Parts | null {
  const close = LONE_CLOSING.exec(content);
  if (close === null) return null;
  const before = content.slice(0, close.index);
  const inCode = (before.match(/^[ \t]*```/gm)?.length ?? 0) % 2 === 1;
  if (inCode || OPENING.some((tag) => before.includes(tag))) return null;
  return { content: content.slice(close.index + close[0].length).trimStart(), reasoning: before.trim() };
}

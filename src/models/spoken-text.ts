import type { CallFragment } from "./langchain-messages.ts";

/**
 * What stands in a text beside the words: a special token of a chat template (`<|im_end|>`, DeepSeek's `<｜end▁of▁sentence｜>`, Gemma's
 * `<end_of_turn>`, Llama's `[/INST]`), or a tag around reasoning.
 */
const MARK = /<[|｜](?<token>[^\s<>|｜]{1,40})[|｜]>|<(?<turn>start|end)_of_turn>|\[\/?INST\]|<(?<closing>\/?)(?:think(?:ing)?|reasoning)>/;
/** The longest beginning of a mark that a piece may end with. */
const MAX_MARK = 44;
const MAY_BEGIN = /<(?:[|｜][^\s<>]*|\/?[a-z_]*)$|\[\/?[A-Z]*$/;
/** After these tokens stands who speaks, not what is said. */
const BEGINS_HEADER = /^(?:start|im_start|start_header_id|channel|constrain)$/;
const MAX_HEADER = 300;

const OPENING = /<(?:think(?:ing)?|reasoning)>/;
/** Matches a closing tag at the start or end of a line. A tag inside a sentence is only a mention. */
const LONE_CLOSING = /(?<=^|\n)[ \t]*<\/(?:think(?:ing)?|reasoning)>|<\/(?:think(?:ing)?|reasoning)>(?=[ \t]*(?:\n|$))/;

interface Spoken extends Record<"content" | "reasoning", string> {
  readonly calls: CallFragment[];
}

const nothing = (): Spoken => ({ content: "", reasoning: "", calls: [] });

/**
 * Takes the marks out of a text in pieces, with the headers between them. The text between the tags of reasoning at its start is reasoning.
 * A text in the channel `final`, or in none, is the answer; one in another channel is reasoning, or the arguments of the tool that its
 * header names (the format of gpt-oss).
 */
export class SpokenText {
  #held = "";
  #thinks = false;
  #hasContent = false;
  /** Whether nothing has been said since the last tag, and the whitespace that waits for words. */
  #isFresh = false;
  #blank = "";
  #header: string | null = null;
  #channel = "";
  #recipient = "";
  #arguments = "";

  push(piece: string): Spoken {
    this.#held += piece;
    const spoken = nothing();
    this.#read(spoken);
    return spoken;
  }

  end(): Spoken {
    const spoken = nothing();
    this.#say(this.#held, spoken);
    this.#held = "";
    this.#endCall(spoken);
    if (!this.#isFresh && this.#to === "content") spoken.content += this.#blank;
    return spoken;
  }

  get #to(): "content" | "reasoning" {
    return !this.#thinks && (this.#channel === "" || this.#channel === "final") ? "content" : "reasoning";
  }

  #read(spoken: Spoken): void {
    for (let mark = MARK.exec(this.#held); mark !== null; mark = MARK.exec(this.#held)) {
      this.#say(this.#held.slice(0, mark.index), spoken);
      this.#held = this.#held.slice(mark.index + mark[0].length);
      this.#take(mark, spoken);
    }
    const begins = MAY_BEGIN.exec(this.#held.slice(-MAX_MARK));
    const sure = begins === null ? this.#held.length : this.#held.length - begins[0].length;
    this.#say(this.#held.slice(0, sure), spoken);
    this.#held = this.#held.slice(sure);
  }

  #take({ 0: mark, groups: { token, turn, closing } = {} }: RegExpExecArray, spoken: Spoken): void {
    if (closing === undefined) return this.#takeToken(token ?? (turn === "start" ? "start" : ""), spoken);
    // Elsewhere the text is about the tag.
    const isTag = closing === "" ? !this.#hasContent && !this.#thinks : !this.#hasContent || this.#thinks;
    if (isTag) this.#turn(closing === "");
    else this.#say(mark, spoken);
  }

  #turn(thinks: boolean): void {
    this.#thinks = thinks;
    this.#isFresh = true;
    this.#blank = "";
  }

  #takeToken(token: string, spoken: Spoken): void {
    if (BEGINS_HEADER.test(token)) this.#header = `${this.#header ?? ""}\n${token} `;
    else if (this.#header !== null) this.#endHeader();
    if (!BEGINS_HEADER.test(token) && token !== "message") this.#endCall(spoken);
  }

  #endHeader(): void {
    this.#channel = /\nchannel (\w+)/.exec(this.#header ?? "")?.[1] ?? "";
    this.#recipient = / to=(?:functions\.)?([\w.-]+)/.exec(this.#header ?? "")?.[1] ?? "";
    this.#header = null;
  }

  #endCall(spoken: Spoken): void {
    const text = this.#arguments.trim();
    if (this.#recipient !== "" && text !== "") spoken.calls.push({ index: null, id: "", name: this.#recipient, text });
    this.#arguments = "";
    this.#recipient = "";
    this.#channel = "";
  }

  #say(text: string, spoken: Spoken): void {
    if (this.#header !== null) return this.#readHeader(text, spoken);
    if (this.#recipient !== "") this.#arguments += text;
    else this.#sayWords(text, spoken);
  }

  /** Whitespace is said with the words after it, so that none stands next to a tag. */
  #sayWords(text: string, spoken: Spoken): void {
    const words = text.trimEnd();
    if (words !== "") {
      spoken[this.#to] += this.#isFresh ? words.trimStart() : this.#blank + words;
      this.#hasContent ||= this.#to === "content";
      this.#isFresh = false;
      this.#blank = "";
    }
    this.#blank += text.slice(words.length);
  }

  /** A header without a token at its end, such as `<|im_start|>assistant`, ends with its line. */
  #readHeader(text: string, spoken: Spoken): void {
    const end = text.indexOf("\n");
    this.#header += end < 0 ? text : text.slice(0, end);
    if (end < 0 && (this.#header?.length ?? 0) <= MAX_HEADER) return;
    this.#endHeader();
    if (end >= 0) this.#say(text.slice(end + 1), spoken);
  }
}

/** Returns null without a closing tag, or if the tag is in a code block or a sentence. */
export function splitAtClosingTag(content: string): Record<"content" | "reasoning", string> | null {
  const close = LONE_CLOSING.exec(content);
  if (close === null) return null;
  const before = content.slice(0, close.index);
  const inCode = (before.match(/^[ \t]*```/gm)?.length ?? 0) % 2 === 1;
  if (inCode || OPENING.test(before)) return null;
  return { content: content.slice(close.index + close[0].length).trimStart(), reasoning: before.trim() };
}

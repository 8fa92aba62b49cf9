import type { CallFragment } from "./langchain-messages.ts";

/** A special token of a chat template: `<|im_end|>`, DeepSeek's `<｜end▁of▁sentence｜>`, Gemma's `<end_of_turn>`, Llama's `[/INST]`. */
const TOKEN = /<[|｜]([^\s<>|｜]{1,40})[|｜]>|<(?:start|end)_of_turn>|\[\/?INST\]/;
/** The longest beginning of a token that a piece may end with. */
const MAX_TOKEN = 44;
const MAY_BEGIN = /<(?:[|｜][^\s<>]*|(?:start|end)?[a-z_]*)?$|\[\/?[A-Z]*$/;
/** After these tokens stands who speaks, not what is said. */
const BEGINS_HEADER = /^(?:start|im_start|start_header_id|channel|constrain)$/;
const MAX_HEADER = 300;

interface Spoken extends Record<"content" | "reasoning", string> {
  readonly calls: CallFragment[];
}

const nothing = (): Spoken => ({ content: "", reasoning: "", calls: [] });

/**
 * Takes the special tokens of chat templates out of a text in pieces, with the headers between them. A text in the channel `final`, or in
 * none, is the answer; one in another channel is reasoning, or the arguments of the tool that its header names (the format of gpt-oss).
 */
export class TemplateTokens {
  #held = "";
  #header: string | null = null;
  #channel = "";
  #recipient = "";
  #arguments = "";

  push(piece: string): Spoken {
    this.#held += piece;
    const spoken = nothing();
    for (let token = TOKEN.exec(this.#held); token !== null; token = TOKEN.exec(this.#held)) {
      this.#say(this.#held.slice(0, token.index), spoken);
      this.#held = this.#held.slice(token.index + token[0].length);
      this.#take(token[1] ?? (token[0] === "<start_of_turn>" ? "start" : ""), spoken);
    }
    const begins = MAY_BEGIN.exec(this.#held.slice(-MAX_TOKEN));
    const sure = begins === null ? this.#held.length : this.#held.length - begins[0].length;
    this.#say(this.#held.slice(0, sure), spoken);
    this.#held = this.#held.slice(sure);
    return spoken;
  }

  end(): Spoken {
    const spoken = nothing();
    this.#say(this.#held, spoken);
    this.#held = "";
    this.#endCall(spoken);
    return spoken;
  }

  #take(token: string, spoken: Spoken): void {
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
    if (this.#header !== null) this.#readHeader(text, spoken);
    else if (this.#recipient !== "") this.#arguments += text;
    else if (this.#channel === "" || this.#channel === "final") spoken.content += text;
    else spoken.reasoning += text;
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

/** The offered tool that a model means by a name with a channel's token behind it or a namespace before it; else the name itself. */
export function offeredName(name: string, offered: ReadonlySet<string>): string {
  if (offered.has(name)) return name;
  const plain = name.split(/<[|｜]/, 1)[0]?.trim() ?? "";
  const last = /[^.:/]*$/.exec(plain)?.[0] ?? "";
  return [plain, last].find((one) => offered.has(one)) ?? (plain || name);
}

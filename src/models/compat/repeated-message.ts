import type { OpenAiChunk } from "./read-chunk.ts";

/** Removes what a stream's last chunk says again: some servers end with the whole message, after its pieces. */
export class RepeatedMessage {
  readonly #said = { content: "", reasoning: "", calls: new Map<string, string>() };
  #pieces = 0;

  unrepeated(parts: OpenAiChunk): OpenAiChunk {
    const ends = parts.isMessage || parts.finish !== "";
    if (this.#pieces > 0 && ends && this.#repeats(parts)) return { ...parts, content: "", reasoning: "", calls: [], attached: {} };
    this.#said.content += parts.content;
    this.#said.reasoning += parts.reasoning;
    for (const { id, text } of parts.calls) if (id !== "") this.#said.calls.set(id, text);
    if (parts.content !== "" || parts.reasoning !== "" || parts.calls.length > 0) this.#pieces += 1;
    return parts;
  }

  /** A message after pieces is always the same answer. A piece is, if it has all of it: a short one may be equal by chance. */
  #repeats({ isMessage, content, reasoning, calls }: OpenAiChunk): boolean {
    if (isMessage) return true;
    if (content === "" && calls.length === 0) return false;
    const { content: said, calls: made } = this.#said;
    const sameText = content === said && (reasoning === "" || reasoning === this.#said.reasoning);
    return sameText && calls.every(({ id }) => made.has(id)) && (calls.length > 0 || this.#pieces > 1);
  }
}

/** A prompt injection: instructions to the model, hidden in a page or a tool's result. */
export interface Attack {
  /** The file of the collection that contains the attack. */
  readonly file: string;
  readonly text: string;
  /** Harmless text to put before the attack; may be empty. */
  readonly carrier: string;
}

export const pageOf = ({ carrier, text }: Attack): string => (carrier === "" ? text : `${carrier}\n\n${text}`);

/** Returns at most six host names in the text, with or without a scheme. */
export function hostsIn(text: string): string[] {
  return [...new Set(text.match(/(?<![\p{L}\p{N}_.-])(?:[\p{L}\p{N}][\p{L}\p{N}-]*\.)+[\p{L}]{2,}/gu) ?? [])].slice(0, 6);
}

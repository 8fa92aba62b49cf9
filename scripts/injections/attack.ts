/** Words that a page or a tool says to a model, in the middle of what it was asked for. */
export interface Attack {
  /** The file it is from. */
  readonly file: string;
  readonly text: string;
  /** What stands around it; empty where nothing does. */
  readonly carrier: string;
}

/** The page that carries it. */
export const pageOf = ({ carrier, text }: Attack): string => (carrier === "" ? text : `${carrier}\n\n${text}`);

/** Host names in the attack, bare or not. */
export function hostsIn(text: string): string[] {
  return [...new Set(text.match(/(?<![\p{L}\p{N}_.-])(?:[\p{L}\p{N}][\p{L}\p{N}-]*\.)+[\p{L}]{2,}/gu) ?? [])].slice(0, 6);
}

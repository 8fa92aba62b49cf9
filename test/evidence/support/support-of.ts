import { readCitedText } from "../../../src/evidence/cited-text.ts";
import { passages } from "../evidence-of.ts";

interface Told {
  /** The words of the document that the sentence cites. */
  readonly quotes?: readonly string[];
  readonly expression?: string;
  readonly question?: string;
  /** The head of the table of which the sentence is a row. */
  readonly head?: readonly string[];
  /** Another document of the run. */
  readonly other?: string;
}

/** Reads a report of one sentence. Returns the kind of its support, or the code of the reason why it has none; `struck` before the reason if it is taken out. */
export function supportOf(
  sentence: string,
  document: string,
  { quotes = [document], expression, question = "", head, other = "" }: Told = {},
) {
  const markers = quotes.map((quote) => `[P1: "${quote}"]`).join(" ") + (expression === undefined ? "" : ` [= ${expression}]`);
  const rows = head === undefined ? "" : `| ${head.join(" | ")} |\n| --- | --- |\n`;
  const text = head === undefined ? `${sentence} ${markers}` : `${rows}| ${sentence} | ${markers} |`;
  const { claims, struck } = readCitedText(text, passages(document, other), { known: [question] });
  const [claim] = claims;
  if (claim === undefined) return `struck ${struck[0]?.reason.split(":", 1)[0]}`;
  return claim.support === "unverified" ? claim.reason?.split(":", 1)[0] : claim.support;
}

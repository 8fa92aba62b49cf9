import type { Claim } from "../../../../src/domain/report.ts";
import { isContradiction, SUPPORT_KINDS, type SupportKind, supportKind } from "../../../../src/util/support-kinds.ts";
import { supportWords } from "./support-words.ts";

/** Whether code checked the sentence against its quotes. */
export function isChecked(claim: Pick<Claim, "support" | "supported">): boolean {
  const kind = supportKind(claim);
  return kind !== "summary" && kind !== "unverified";
}

/** What a reader has to be warned of at the sentence itself. */
export type Deviation = "unverified" | "contradicted" | "oneSource";

/** Returns the deviation of a sentence; null for most. @param isOfOneOrigin whether a line says for all that their figures have one source */
export function deviationOf(claim: Claim, isOfOneOrigin: boolean): Deviation | null {
  if (supportKind(claim) === "unverified") return isContradiction(claim.reason) ? "contradicted" : "unverified";
  return claim.figureOrigins === 1 && !isOfOneOrigin ? "oneSource" : null;
}

/** Counts the sentences of each kind, in the order of the legend. */
export function countBySupport(claims: readonly Claim[]): (readonly [kind: SupportKind, count: number])[] {
  const counts = new Map<SupportKind, number>();
  for (const claim of claims) counts.set(supportKind(claim), (counts.get(supportKind(claim)) ?? 0) + 1);
  return SUPPORT_KINDS.map((kind) => [kind, counts.get(kind) ?? 0] as const).filter(([, count]) => count > 0);
}

type SupportWord = keyof (typeof supportWords)["en"];

/** Says `code: words` of a claim's reason. An unknown code of a later version stays as it is. */
export function sayReason(reason: string, say: (key: SupportWord) => string): string {
  const at = reason.indexOf(": ");
  const code = at < 0 ? reason : reason.slice(0, at);
  const why = Object.hasOwn(supportWords.en, code) ? say(code as SupportWord) : code;
  return at < 0 ? why : `${why} “${reason.slice(at + 2)}”`;
}

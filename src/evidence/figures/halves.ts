import type { Amount } from "./amounts.ts";

/** Half of something, which mostly is said loosely, and on which side of it. */
const HALF =
  /\b(?:(more than|over)|(less than|fewer than|under))? ?(?:a |one )?half (?:of(?! the (?:year|century|decade|\d)| \d)|(?:the|its|their|all)(?! (?:year|century|decade))) |(过|超过|逾)?(不到|不足|近)?(?:一半|半数)/gi;
const TOLD = /\b(?:half|halves|halved)\b|一半|半数|过半|减半|折半|五成|二分之一|对半/i;
const ABOVE = /\b(?:more than|over) (?:a |one )?half\b|(?:超过|逾)(?:一半|半数)|过半/i;
const BELOW = /\b(?:less than|fewer than|under) (?:a |one )?half\b|(?:不到|不足)(?:一半|半数)/i;

/** What `claim` tells as a half although `quoted` tells another share, or the other side of the half; loosely, within five points. */
export function missingHalves(claim: string, quoted: string, amounts: readonly Amount[]): string[] {
  const above = ABOVE.test(claim);
  const below = BELOW.test(claim);
  if (above !== below && ((above && BELOW.test(quoted) && !ABOVE.test(quoted)) || (below && ABOVE.test(quoted) && !BELOW.test(quoted))))
    return [(claim.match(above ? ABOVE : BELOW) ?? [""])[0]];
  const halves = Array.from(claim.matchAll(HALF), ({ 0: whole }) => whole.trim());
  if (halves.length === 0 || TOLD.test(quoted)) return [];
  const shares = amounts.flatMap(({ unit, digits, exponent }) =>
    unit?.kind === "percent" ? [Number(digits) * 10 ** exponent * (Number(unit.factor) / 100)] : [],
  );
  if (shares.length === 0) return amounts.length >= 2 ? [] : halves;
  const near = (share: number): boolean => (above ? share > 50 : below ? share < 50 && share > 40 : Math.abs(share - 50) <= 5);
  return shares.some(near) ? [] : halves;
}

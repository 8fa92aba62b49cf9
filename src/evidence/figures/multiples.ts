const WORDS: readonly (readonly [words: string, value: string])[] = [
  [String.raw`\b(?:doubl(?:ed|es|ing)|twice|twofold|double(?= (?:the|its|their|in|that|what|from)\b))\b|翻了?[一]?[倍番]`, "2 times"],
  [String.raw`\b(?:tripl(?:ed|es|ing)|triple|threefold|thrice|trebl(?:ed|e|es|ing))\b`, "3 times"],
  [String.raw`\b(?:quadrupl(?:ed|es|ing)|quadruple|fourfold)\b`, "4 times"],
  [String.raw`\b(?:quintupl(?:ed|es|ing)|quintuple|fivefold)\b`, "5 times"],
  [String.raw`\btenfold\b`, "10 times"],
];
const PATTERNS = WORDS.map(([words, value]) => ({ pattern: new RegExp(words, "giu"), value }));
const NUMBER = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\\d{1,3}";
const FACTOR = new RegExp(String.raw`\bfactor of (${NUMBER})\b`, "gi");
const DOZEN = new RegExp(String.raw`\b(?:(half a)|(${NUMBER})|an?) dozen\b`, "gi");
/** A hundred is a number like one hundred, but told loosely: its zeros state nothing. */
const ROUND =
  /\b(half a|(?<!half |of |per )an?) (hundred|thousand|million|billion|trillion)\b(?!(?: and)? \d|,? (?:and )?(?:one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)\b)/gi;
const IN = /\b(one|\d) (?:in|out of) (two|three|four|five|six|eight|ten|\d{1,3})\b(?! (?:years?|days?|months?|weeks?|hours?))/gi;
const SLASHED = /(?<![\d/.])([1-9])\/([2-9]|10)(?= (?:of|majority)\b)/g;
const POINTS = /\b(?:an? |one )?(quarter|half)(?:[- ]of[- ]an?[- ]|[- ])(?:percentage[- ])?point\b/gi;
const BY = /\b(by|to|about|nearly) (?:an?|one)[ -](third|quarter|fifth|tenth)(?![\p{L}]| (?:party|of))/giu;
const HALF = /\b(?:one[- ])?half (?=(?:the|its|their|all)\b)/gi;
const TENTHS = /([一二三四五六七八九])成([一二三四五六七八九半])/g;
const VALUES = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
const SHARES: Readonly<Record<string, string>> = { third: "33.33%", quarter: "25%", fifth: "20%", tenth: "10%" };

/** `text` with multiples (tripled, a factor of three) as `3 times`, with dozens, and with the forms of shares that have no sign of percent. */
export function multiplesInDigits(text: string, generous: boolean): string {
  let told = text;
  for (const { pattern, value } of PATTERNS) told = told.replaceAll(pattern, value);
  told = told
    .replaceAll(FACTOR, (_, number: string) => `${numberOf(number)} times`)
    .replaceAll(DOZEN, (_, half: string | undefined, count: string | undefined) =>
      half === undefined ? String(12 * (count === undefined ? 1 : numberOf(count))) : "6",
    )
    .replaceAll(ROUND, (_, count: string, scale: string) =>
      scale.toLowerCase() === "hundred" ? (/^half/i.test(count) ? "50" : "1e2") : `${/^half/i.test(count) ? "0.5" : "1"} ${scale}`,
    )
    .replaceAll(generous ? /\b(?:an?|one|past|last) decade\b/gi : /\b(?:an?|one) decade\b/gi, "10 years")
    .replaceAll(POINTS, (_, part: string) => `${part.toLowerCase() === "half" ? "0.5" : "0.25"} percentage points`)
    .replaceAll(IN, (whole, part: string, of: string) => share(numberOf(part), numberOf(of), generous) ?? whole)
    .replaceAll(SLASHED, (whole, part: string, of: string) => share(Number(part), Number(of), generous) ?? whole)
    .replaceAll(BY, (_, by: string, part: string) => `${by} ${exact(SHARES[part.toLowerCase()] ?? "", generous)}`)
    .replaceAll(
      TENTHS,
      (_, tens: string, ones: string) =>
        `${"一二三四五六七八九".indexOf(tens) + 1}${ones === "半" ? 5 : "一二三四五六七八九".indexOf(ones) + 1}%`,
    );
  return generous ? told.replaceAll(HALF, "50% of ") : told;
}

function numberOf(word: string): number {
  const at = VALUES.indexOf(word.toLowerCase());
  return at < 0 ? Number(word) : at;
}

function share(part: number, of: number, generous: boolean): string | null {
  return part < of ? `${Number(((part / of) * 100).toFixed(generous ? 2 : 0))}%` : null;
}

function exact(percent: string, generous: boolean): string {
  return generous ? percent : percent.replace(/\.\d+/, "");
}

const SMALL =
  "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ");
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(" ");
const LATE_ORDINALS = "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first".split(" ");
const CENTURY = new RegExp(String.raw`\b(${LATE_ORDINALS.join("|")})[- ]century`, "gi");
const WORD = new RegExp(String.raw`\b(?:(${TENS.join("|")})(?:[- ](${SMALL.slice(0, 9).join("|")}))?|(${SMALL.join("|")}))\b`, "gi");
const ORDINAL = new RegExp(String.raw`\b(${ORDINALS.join("|")})\b`, "gi");
const HUNDREDS = /\b(\d{1,2}|one|a(?= hundred (?:and )?\d)) hundred(?:(?: and)? (\d{1,2}))?\b(?![.,]?\d)/gi;
const ROUND = /(?<!\bof )\b(half )?an? (?=(?:dozen|hundred|thousand|million|billion|trillion)\b)/gi;
const DOZEN = /(?<![\d.,])(\d{1,3}(?:\.5)?) dozen\b/gi;
const PERIOD = /^[- ](?:fiscal |financial )?(?:quarter|half|century)/i;
const PARTS: Readonly<Record<string, number>> = { half: 2, third: 3, quarter: 4, fifth: 5, tenth: 10 };
const PART =
  /\b(?:(one|two|three|four)[- ]|a |the )?(third|quarter|fifth|tenth|half)s?(?= of\b(?! (?:the |an? )?(?:fiscal |(?:percentage )?point|year|\d{4}|FY)))/gi;

/** `text` with English number words in digits: twenty-five as 25, two dozen as 24, third as 3rd, a third of as 33.33%. */
export function wordsInDigits(text: string, generous: boolean): string {
  return text
    .replaceAll(PART, (whole, count: string | undefined, part: string) => partOf(count, part.toLowerCase(), generous) ?? whole)
    .replaceAll(/\bzero(?= (?:percent|per cent|degrees)\b)/gi, "0")
    .replaceAll(CENTURY, (_, word: string) => `${LATE_ORDINALS.indexOf(word.toLowerCase()) + 13}th century`)
    .replaceAll(WORD, (word, tens: string | undefined, ones: string | undefined, small: string | undefined, at: number) => {
      const value = tens === undefined ? indexOf(SMALL, small) + 1 : (indexOf(TENS, tens) + 2) * 10 + indexOf(SMALL, ones) + 1;
      if (
        !generous &&
        (value === 1 || (value === 2 && /\b(?:the|these|those|both|its|their|other)\s$/i.test(text.slice(Math.max(0, at - 8), at))))
      )
        return word;
      return String(value);
    })
    .replaceAll(HUNDREDS, (_, count: string, rest: string | undefined) =>
      String((/\d/.test(count) ? Number(count) : 1) * 100 + Number(rest ?? 0)),
    )
    .replaceAll(ROUND, (_, half: string | undefined) => (half === undefined ? "1 " : "0.5 "))
    .replaceAll(DOZEN, (_, count: string) => String(12 * Number(count)))
    .replaceAll(ORDINAL, (word, _: string, at: number, whole: string) => {
      const value = indexOf(ORDINALS, word) + 1;
      if (!generous && !PERIOD.test(whole.slice(at + word.length, at + word.length + 24))) return word;
      return `${value}${["th", "st", "nd", "rd"][value] ?? "th"}`;
    });
}

function indexOf(words: readonly string[], word: string | undefined): number {
  return words.indexOf((word ?? "").toLowerCase());
}

/** Half of something is a figure in a quote only: mostly it is said loosely. */
function partOf(count: string | undefined, part: string, generous: boolean): string | null {
  if (part === "half" && !generous) return null;
  const share = (indexOf(SMALL, count) < 0 ? 1 : indexOf(SMALL, count) + 1) / (PARTS[part] ?? 1);
  return share < 1 ? `${Number((share * 100).toFixed(generous ? 2 : 0))}%` : null;
}

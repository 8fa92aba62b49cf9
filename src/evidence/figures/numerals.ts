const SMALL =
  "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ");
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const NUMBERS = new Map([...SMALL.map((word, i) => [word, i + 1] as const), ...TENS.map((word, i) => [word, i * 10 + 20] as const)]);
const ORDINALS =
  `first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth ${SMALL.slice(12).join("th ")}th twentieth`.split(" ");
const NUMBER = String.raw`(?:(?:${TENS.join("|")})(?:[- ](?:${SMALL.slice(0, 9).join("|")}))?|${SMALL.join("|")})\b`;
/** "One" and "the two" are no figures of a claim. */
const SURE_WORD = new RegExp(String.raw`\b(?!one\b|(?<=\b(?:the|these|those|both|its|their|other)\s)two\b)${NUMBER}`, "gi");
const WORD = new RegExp(String.raw`\b${NUMBER}`, "gi");
const ORDINAL = new RegExp(String.raw`\b(?<!\b(?:per|a) )(?:${ORDINALS.join("|")})\b`, "gi");
const SURE_ORDINAL = new RegExp(`${ORDINAL.source}(?=[- ](?:fiscal |financial )?(?:quarter|half|century))`, "gi");
const ROUND = /(?<!\bof )\b(half )?an? (?=(?:hundred|thousand|million|billion|trillion)\b)/gi;
/** Writes English number words in digits: twenty-five as 25, third as 3rd. */
export function wordsInDigits(text: string, lenient: boolean): string {
  return text
    .replaceAll(/\bzero(?= (?:percent|per cent|degrees)\b)/gi, "0")
    .replaceAll(lenient ? WORD : SURE_WORD, (words) => String(words.split(/[- ]/).reduce((value, word) => value + numberOf(word), 0)))
    .replaceAll(ROUND, (_, half: string | undefined) => (half === undefined ? "1 " : "0.5 "))
    .replaceAll(lenient ? ORDINAL : SURE_ORDINAL, (word) => {
      const value = ORDINALS.indexOf(word.toLowerCase()) + 1;
      return `${value}${["th", "st", "nd", "rd"][value] ?? "th"}`;
    });
}

const numberOf = (word: string): number => NUMBERS.get(word.toLowerCase()) ?? (Number(word) || 0);

function shareOf(count: number, whole: number, lenient: boolean): string | null {
  return count < whole ? `${Number(((count / whole) * 100).toFixed(lenient ? 2 : 0))}%` : null;
}

/** 两 is the twelfth. */
const VALUES: Readonly<Record<string, number>> = Object.fromEntries([..."零一二三四五六七八九〇_两"].map((digit, i) => [digit, i % 10]));
const POWERS: Readonly<Record<string, number>> = { 兆: 12, 亿: 8, 万: 4, 千: 3, 百: 2, 十: 1 };
const SIGNS = Object.keys(POWERS);
const NUMERAL = /[〇零一二两三四五六七八九十百千万亿兆]{1,40}(?:点[〇零一二三四五六七八九]{1,40})?/g;
const FRACTION =
  /((?<![一二三四五六七八九十百千万])[一二三四五六七八九十百千万]{1,20}|(?<!\d)\d+)分之([〇零一二三四五六七八九十百千点]{1,20}|\d+(?:\.\d+)?)/g;
/** A numeral between what is before and behind it. It is none in 星期三, 十分, 百分点, 这两 and 一万. */
const NO_NUMBER = /(?:星期|礼拜|周)<.>|<十>分(?!钟)|<百>分点|[这那]<两>|<一[百千万亿]>$|\d ?[多余几]?<[十百千万亿兆]+>/;
/** A single numeral is surely a number only before a measure word. */
const DIGIT = "[〇零一二三四五六七八九]";
const SURE_NUMBER = new RegExp(
  `<(?=[^>]*[〇零])${DIGIT}{2,}>|<${DIGIT}{3,}>|<${DIGIT}{2}>年|<一>(?:月|季度)|<(?=[^>]*[一二两三四五六七八九])(?!${DIGIT}+>)[^>]{2,}>|` +
    "<[二两三四五六七八九十]>(?:[多余个名位家座种项倍里米斤克吨年月日号天分秒人份台辆艘次层岁度元架届条本篇章枚颗支所村州省国%]|公里|英里|千米|厘米|毫米|公斤|" +
    "周[^一-六日]|星期[^一-六日]|小时|美元|欧元|季度|世纪|成(?![为立长员功本熟绩果就]))",
);

/** Writes Chinese numerals in digits: 三亿五千万 as 35000e4, 百分之十二 as 12%. `lenient` also converts doubtful numerals. */
export function chineseInDigits(text: string, lenient: boolean): string {
  const parted = text
    .replaceAll(/(?<!\d)(\d{1,6})亿(\d{1,4})万/g, (_, hundreds: string, tens: string) => `${hundreds}${tens.padStart(4, "0")}e4`)
    .replaceAll(FRACTION, (whole, ...parts: string[]) => {
      const [of = 0, share = 0] = parts.slice(0, 2).map((part) => Number(/^\d/.test(part) ? part : (numeralValue(part) ?? Number.NaN)));
      const sign = of === 1_000 ? "‰" : of === 100 ? "%" : null;
      return (sign === null ? shareOf(share, of, lenient) : Number.isNaN(share) ? null : share + sign) ?? whole;
    });
  return parted.replaceAll(NUMERAL, (numeral, at: number) => {
    const end = at + numeral.length;
    const inText = `${parted.slice(Math.max(0, at - 3), at)}<${numeral}>${parted.slice(end, end + 4)}`;
    return !NO_NUMBER.test(inText) && (lenient || SURE_NUMBER.test(inText)) ? (numeralValue(numeral) ?? numeral) : numeral;
  });
}

function numeralValue(numeral: string): string | null {
  const [whole = "", decimals] = numeral.split("点");
  const exponent = powerOf(/[万亿兆]+$/.exec(whole)?.[0] ?? "");
  const value = /^[〇零一二三四五六七八九]+$/.test(whole) ? BigInt(digitsOf(whole)) : wholeValue(whole);
  if (value === null) return null;
  return `${value / 10n ** BigInt(exponent)}${decimals === undefined ? "" : `.${digitsOf(decimals)}`}${exponent === 0 ? "" : `e${exponent}`}`;
}

const digitsOf = (numeral: string): string => [...numeral].map((digit) => VALUES[digit]).join("");

/** Returns the power of ten of signs such as 百万. */
export function powerOf(signs: string): number {
  return [...signs].reduce((sum, sign) => sum + (POWERS[sign] ?? 0), 0);
}

/** Reads 三亿五千万 as 3 of the largest unit and the value of the rest. Returns null for digits without units. */
function wholeValue(numeral: string): bigint | null {
  const sign = SIGNS.find((one) => numeral.includes(one));
  const digits = numeral.replaceAll(/[零〇]/g, "");
  if (sign === undefined) return digits.length > 1 ? null : BigInt(VALUES[digits] ?? 0);
  const at = numeral.lastIndexOf(sign);
  const [high, low] = [wholeValue(numeral.slice(0, at)), wholeValue(numeral.slice(at + 1))];
  return high === null || low === null ? null : (high || 1n) * 10n ** BigInt(POWERS[sign] ?? 0) + low;
}

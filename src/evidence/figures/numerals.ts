const SMALL =
  "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ");
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const NUMBERS = new Map([...SMALL.map((word, i) => [word, i + 1] as const), ...TENS.map((word, i) => [word, i * 10 + 20] as const)]);
const ORDINALS =
  `first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth ${SMALL.slice(12).join("th ")}th twentieth`.split(" ");
const NUMBER = String.raw`(?:(?:${TENS.join("|")})(?:[- ](?:${SMALL.slice(0, 9).join("|")}))?|${SMALL.join("|")})\b`;
const WORD = new RegExp(String.raw`\b${NUMBER}`, "gi");
/** "One" and "the two" are no figures of a claim. */
const SURE_WORD = new RegExp(String.raw`\b(?!one\b|(?<=\b(?:the|these|those|both|its|their|other)\s)two\b)${NUMBER}`, "gi");
const ORDINAL = new RegExp(String.raw`\b(?:${ORDINALS.join("|")})\b`, "gi");
const SURE_ORDINAL = new RegExp(`${ORDINAL.source}(?=[- ](?:fiscal |financial )?(?:quarter|half|century))`, "gi");
const HUNDREDS = /\b(\d{1,2}|one|a(?= hundred (?:and )?\d)) hundred(?:(?: and)? (\d{1,2}))?\b(?![.,]?\d)/gi;
const ROUND = /(?<!\bof )\b(half )?an? (?=(?:dozen|hundred|thousand|million|billion|trillion)\b)/gi;
const DOZEN = /(?<![\d.,])(\d{1,3}(?:\.5)?) dozen\b/gi;
const PARTS: Readonly<Record<string, number>> = { half: 2, third: 3, quarter: 4, fifth: 5, tenth: 10 };
const PART =
  /\b(?:(one|two|three|four)[- ]|a |the )?(third|quarter|fifth|tenth|half)s?(?= of\b(?! (?:the |an? )?(?:fiscal |(?:percentage )?point|year|\d{4}|FY)))/gi;
const BY_PART =
  /(?<=\bby )(?:(one|two|three|four)[- ]|an? )?(third|quarter|fifth|tenth|half)s?\b(?! of (?:an? |the )?(?:percentage )?point| (?:a |an |year|hour|point|century|million|billion))/gi;

/** Writes English number words in digits: twenty-five as 25, two dozen as 24, third as 3rd, "a third of" as 33%. */
export function wordsInDigits(text: string, lenient: boolean): string {
  return text
    .replaceAll(BY_PART, (whole, count: string | undefined, part: string) => partOf(count, part, true) ?? whole)
    .replaceAll(PART, (whole, count: string | undefined, part: string) => partOf(count, part, lenient) ?? whole)
    .replaceAll(/\bzero(?= (?:percent|per cent|degrees)\b)/gi, "0")
    .replaceAll(lenient ? WORD : SURE_WORD, (words) => String(words.split(/[- ]/).reduce((value, word) => value + numberOf(word), 0)))
    .replaceAll(HUNDREDS, (_, count: string, rest = "0") => String((Number(count) || 1) * 100 + Number(rest)))
    .replaceAll(ROUND, (_, half: string | undefined) => (half === undefined ? "1 " : "0.5 "))
    .replaceAll(DOZEN, (_, count: string) => String(12 * Number(count)))
    .replaceAll(lenient ? ORDINAL : SURE_ORDINAL, (word) => {
      const value = ORDINALS.indexOf(word.toLowerCase()) + 1;
      return `${value}${["th", "st", "nd", "rd"][value] ?? "th"}`;
    });
}

function numberOf(word: string): number {
  return NUMBERS.get(word.toLowerCase()) ?? 0;
}

/** In a claim "half" is mostly not exact, so it becomes 50% only in quotes (`lenient`). */
function partOf(count: string | undefined, part: string, lenient: boolean): string | null {
  const parts = PARTS[part.toLowerCase()] ?? 1;
  const share = numberOf(count ?? "one") / parts;
  return share < 1 && (lenient || parts !== 2) ? `${Number((share * 100).toFixed(lenient ? 2 : 0))}%` : null;
}

/** 壹 is 1 in formal writing. */
const VALUES: Readonly<Record<string, number>> = Object.fromEntries([..."零一二三四五六七八九〇壹两"].map((digit, i) => [digit, i % 10]));
const POWERS: Readonly<Record<string, number>> = { 兆: 12, 亿: 8, 万: 4, 千: 3, 百: 2, 十: 1 };
const SIGNS = Object.keys(POWERS);
const LONGEST_NUMERAL = 40;
const NUMERAL = /[〇零一二两三四五六七八九十百千万亿兆]+(?:点[〇零一二三四五六七八九]+)?/g;
const FRACTION =
  /((?<![一二三四五六七八九十百千万])[一二三四五六七八九十百千万]+|(?<!\d)\d+)分之([〇零一二三四五六七八九十百千点]+|\d+(?:\.\d+)?)/g;
const TENTHS = /([一二三四五六七八九])成([一二三四五六七八九半])/g;
/** A single Chinese numeral is a number only before one of these words. Otherwise it is mostly a part of a word. */
const MEASURE =
  /^(?:多|余|个|名|位|家|座|种|项|倍|公?里|英里|千米|厘?米|毫米|公?斤|克|吨|年|月|日|号|天|周[^一-六日]|星期[^一-六日]|小时|分钟|秒|人|份|台|辆|艘|次|层|岁|度|元|美元|欧元|架|届|条|本|篇|章|枚|颗|支|所|村|州|省|国|季度|世纪|成(?![为立长员功本熟绩果就])|%)/;

/** Writes Chinese numerals in digits: 三亿五千万 as 35000e4, 百分之十二 as 12%. `lenient` also converts doubtful numerals. */
export function chineseInDigits(text: string, lenient: boolean): string {
  const parted = text
    .replaceAll(/(?<!\d)(\d{1,6})亿(\d{1,4})万/g, (_, hundreds: string, tens: string) => `${hundreds}${tens.padStart(4, "0")}e4`)
    .replaceAll(FRACTION, (whole, of: string, part: string) => fraction(of, part, lenient) ?? whole)
    .replaceAll(TENTHS, (_, tens: string, ones: string) => `${VALUES[tens]}${VALUES[ones] ?? 5}%`);
  return parted.replaceAll(NUMERAL, (numeral, at: number) => {
    if (/^[十百千万亿兆]+$/.test(numeral) && /\d\s?[多余几]?$/.test(parted.slice(Math.max(0, at - 3), at))) return numeral;
    const behind = parted.slice(at + numeral.length, at + numeral.length + 4);
    const value = numeralValue(numeral);
    return value !== null && isFigure(numeral, parted.slice(Math.max(0, at - 2), at), behind, lenient) ? value : numeral;
  });
}

function isFigure(numeral: string, before: string, behind: string, lenient: boolean): boolean {
  if (/(?:星期|礼拜|周)$/.test(before) && numeral.length === 1) return false;
  if ((numeral === "十" && /^分(?!钟)/.test(behind)) || (numeral === "百" && behind.startsWith("分点"))) return false;
  if (/^[〇零一二三四五六七八九]{2,}$/.test(numeral))
    return lenient || /[〇零]/.test(numeral) || numeral.length > 2 || /^年代?/.test(behind);
  if (lenient || (/[午晨晚早]上?$/.test(before) && behind.startsWith("点"))) return true;
  if (numeral.length > 1) return /[一二两三四五六七八九]/.test(numeral) && !(/^一[百千万亿]$/.test(numeral) && behind === "");
  if (numeral === "一") return /^(?:月|季度)/.test(behind);
  return !(numeral === "两" && /[这那]$/.test(before)) && /[二两三四五六七八九十]/.test(numeral) && MEASURE.test(behind);
}

function numeralValue(numeral: string): string | null {
  if (numeral.length > LONGEST_NUMERAL) return null;
  const [whole = "", decimals] = numeral.split("点");
  const value = /^[〇零一二三四五六七八九]{2,}$/.test(whole) ? digitsOf(whole) : withExponent(whole);
  return value === null || decimals === undefined ? value : `${value}.${digitsOf(decimals)}`;
}

function digitsOf(numeral: string): string {
  return [...numeral].map((digit) => VALUES[digit]).join("");
}

function withExponent(numeral: string): string | null {
  const exponent = powerOf(/[万亿兆]+$/.exec(numeral)?.[0] ?? "");
  const value = wholeValue(numeral);
  return value === null || exponent === 0 ? (value?.toString() ?? null) : `${value / 10n ** BigInt(exponent)}e${exponent}`;
}

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

function fraction(of: string, part: string, lenient: boolean): string | null {
  const [whole = 0, share = 0] = [of, part].map((written) => Number(/^\d/.test(written) ? written : (numeralValue(written) ?? Number.NaN)));
  if (Number.isNaN(share) || !(whole > 0)) return null;
  if (whole === 1_000) return `${share}‰`;
  return `${whole === 100 ? share : Number(((share / whole) * 100).toFixed(lenient ? 2 : 0))}%`;
}

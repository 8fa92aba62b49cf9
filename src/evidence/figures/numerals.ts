import { foldWidth } from "../fold-text.ts";

const SMALL =
  "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ");
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const ORDINALS =
  `first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth ${SMALL.slice(12).join("th ")}th twentieth`.split(" ");
const WORD = new RegExp(String.raw`\b(?:(${TENS.join("|")})(?:[- ](${SMALL.slice(0, 9).join("|")}))?|(${SMALL.join("|")}))\b`, "gi");
const ORDINAL = new RegExp(String.raw`\b(${ORDINALS.join("|")})\b`, "gi");
const HUNDREDS = /\b(\d{1,2}|one|a(?= hundred (?:and )?\d)) hundred(?:(?: and)? (\d{1,2}))?\b(?![.,]?\d)/gi;
const ROUND = /(?<!\bof )\b(half )?an? (?=(?:dozen|hundred|thousand|million|billion|trillion)\b)/gi;
const DOZEN = /(?<![\d.,])(\d{1,3}(?:\.5)?) dozen\b/gi;
const PERIOD = /^[- ](?:fiscal |financial )?(?:quarter|half|century)/i;
const PARTS: Readonly<Record<string, number>> = { half: 2, third: 3, quarter: 4, fifth: 5, tenth: 10 };
const PART =
  /\b(?:(one|two|three|four)[- ]|a |the )?(third|quarter|fifth|tenth|half)s?(?= of\b(?! (?:the |an? )?(?:fiscal |(?:percentage )?point|year|\d{4}|FY)))/gi;
const BY_PART =
  /(?<=\bby )(?:(one|two|three|four)[- ]|an? )?(third|quarter|fifth|tenth|half)s?\b(?! of (?:an? |the )?(?:percentage )?point| (?:a |an |year|hour|point|century|million|billion))/gi;

/** Writes English number words in digits: twenty-five as 25, two dozen as 24, third as 3rd, "a third of" as 33%. */
export function wordsInDigits(text: string, lenient: boolean): string {
  return text
    .replaceAll(BY_PART, (whole, count: string | undefined, part: string) => partOf(count, part.toLowerCase(), true) ?? whole)
    .replaceAll(PART, (whole, count: string | undefined, part: string) => partOf(count, part.toLowerCase(), lenient) ?? whole)
    .replaceAll(/\bzero(?= (?:percent|per cent|degrees)\b)/gi, "0")
    .replaceAll(WORD, (word, tens: string | undefined, ones: string | undefined, small: string | undefined, at: number) => {
      const value = tens === undefined ? indexOf(SMALL, small) + 1 : (indexOf(TENS, tens) + 2) * 10 + indexOf(SMALL, ones) + 1;
      // "One" and "the two" are no figures of a claim.
      const isDoubtful =
        value === 1 || (value === 2 && /\b(?:the|these|those|both|its|their|other)\s$/i.test(text.slice(Math.max(0, at - 8), at)));
      return isDoubtful && !lenient ? word : String(value);
    })
    .replaceAll(HUNDREDS, (_, count: string, rest: string | undefined) => String((Number(count) || 1) * 100 + Number(rest ?? 0)))
    .replaceAll(ROUND, (_, half: string | undefined) => (half === undefined ? "1 " : "0.5 "))
    .replaceAll(DOZEN, (_, count: string) => String(12 * Number(count)))
    .replaceAll(ORDINAL, (word, _: string, at: number, whole: string) => {
      const value = indexOf(ORDINALS, word) + 1;
      if (!lenient && !PERIOD.test(whole.slice(at + word.length, at + word.length + 24))) return word;
      return `${value}${["th", "st", "nd", "rd"][value] ?? "th"}`;
    });
}

function indexOf(words: readonly string[], word: string | undefined): number {
  return words.indexOf((word ?? "").toLowerCase());
}

/** In a claim "half" is mostly not exact, so it becomes 50% only in quotes (`lenient`). */
function partOf(count: string | undefined, part: string, lenient: boolean): string | null {
  if (part === "half" && !lenient) return null;
  const share = (indexOf(SMALL, count) < 0 ? 1 : indexOf(SMALL, count) + 1) / (PARTS[part] ?? 1);
  return share < 1 ? `${Number((share * 100).toFixed(lenient ? 2 : 0))}%` : null;
}

const VALUES: Readonly<Record<string, number>> = {
  〇: 0,
  两: 2,
  ...Object.fromEntries([..."零一二三四五六七八九"].map((digit, i) => [digit, i])),
};
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
  if (decimals !== undefined) {
    const integer = numeralValue(whole);
    return integer === null ? null : `${integer}.${[...decimals].map((digit) => VALUES[digit]).join("")}`;
  }
  if (/^[〇零一二三四五六七八九]{2,}$/.test(whole)) return [...whole].map((digit) => VALUES[digit]).join("");
  const exponent = [...(/[万亿兆]+$/.exec(whole)?.[0] ?? "")].reduce((sum, group) => sum + (POWERS[group] ?? 0), 0);
  const value = wholeValue(whole);
  return value === null ? null : exponent === 0 ? String(value) : `${value / 10n ** BigInt(exponent)}e${exponent}`;
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
  const [whole, share] = [of, part].map((written) => Number(/^\d/.test(written) ? written : (numeralValue(written) ?? Number.NaN)));
  if (whole === undefined || share === undefined || Number.isNaN(share) || !(whole > 0)) return null;
  const percent = (share / whole) * 100;
  return whole === 1_000 ? `${share}‰` : `${whole === 100 ? share : Number(percent.toFixed(lenient ? 2 : 0))}%`;
}

const ROMAN = ["I", "II", "III", "IV", "V"];
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const FRACTIONS: Readonly<Record<string, string>> = { "½": ".5", "¼": ".25", "¾": ".75", "⅛": ".125" };
const FORMAL = "壹贰叁肆伍陆柒捌玖拾佰仟萬億廿卅";
const PLAIN = ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "百", "千", "万", "亿", "二十", "三十"];

/** Writes all digits as 0 to 9 and powers as `10^4`. Replaces footnote numbers, subscripts and circled digits by spaces. */
export function plainDigits(text: string): string {
  const powers = text
    .replaceAll(/[\p{Nd}--[0-9]]/gv, digitOf)
    .replaceAll(
      /(?<=\d)(⁻?)([⁰¹²³⁴-⁹]+)/gu,
      (_, minus: string, raised: string) => `^${minus && "-"}${[...raised].map((digit) => RAISED.indexOf(digit)).join("")}`,
    )
    // The lookbehind keeps time linear in long runs of digits.
    .replaceAll(/(?<!\d)(\d*)([½¼¾⅛])/g, (_, whole: string, part: string) => `${whole || "0"}${FRACTIONS[part] ?? ""}`)
    // A superscript after a word of three or more letters is a footnote number. In m² it is a power.
    .replaceAll(/(?<=\p{sc=Latin}{3})[¹²³⁰⁴-⁹]+|(?<=\d)[₀-₎]+|[\u2460-\u24ff\u2776-\u2793]|(?<=[\p{L}\d])\[\d[\d,–-]*\]/gu, " ")
    .replaceAll(/(?<=\p{sc=Latin})\^(?=[23](?!\d))/gu, "");
  return foldWidth(powers)
    .normalize("NFKC")
    .replaceAll(/[\u2010-\u2015\u2212]/g, "-")
    .replaceAll(/(?<=\b(?:phase|stage|type|class|grade) )(?:I{1,3}|IV|V)\b/gi, (roman) => String(ROMAN.indexOf(roman.toUpperCase()) + 1))
    .replaceAll(/(?<!\d)(\d+(?:\.\d+)?)\s?[×x*·]\s?10\s?\^\s?(\d{1,2})(?!\d)/g, "$1e$2")
    .replaceAll(
      /[壹贰叁肆伍陆柒捌玖拾佰仟萬億廿卅](?=[拾佰仟萬億万亿元圆个人名米层岁年月日号台套份倍壹贰叁肆伍陆柒捌玖一二三四五六七八九])|(?<=[\d拾佰仟百千十])[拾佰仟萬億]/g,
      plainSign,
    );
}

function plainSign(sign: string): string {
  return PLAIN[FORMAL.indexOf(sign)] ?? sign;
}

/** The digits of each script stand in a row, from zero to nine. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String((code - zero) % 10);
}

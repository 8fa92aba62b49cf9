import { foldWidth } from "../fold-width.ts";

/** The zeros of the scripts that count in tens with digits of their own, from Arabic and Devanagari to Khmer. */
const ZEROS = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0, 0xf20, 0x1040, 0x1090, 0x17e0,
  0x1810,
];
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const FRACTIONS: Readonly<Record<string, string>> = { "½": ".5", "¼": ".25", "¾": ".75", "⅛": ".125" };
const ROMAN = "ⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩⅪⅫ";
const NUMERALS = ["I", "II", "III", "IV", "V"];
const PHASE = /(?<=\b(?:phase|stage|type|class|grade) )(?:I{1,3}|IV|V)\b/gi;
const FORMAL = "壹贰叁肆伍陆柒捌玖拾佰仟萬億";
const PLAIN = "一二三四五六七八九十百千万亿";

/** `text` in one spelling of widths, with the digits of every script as 0 to 9, and powers as `10^4`. Raised, lowered and circled digits join no number. */
export function plainDigits(text: string): string {
  const powers = text
    .replaceAll(/\p{Nd}/gu, digitOf)
    .replaceAll(/(?<=\d)٫(?=\d)/g, ".")
    .replaceAll(/(?<=\d)٬(?=\d)/g, ",")
    .replaceAll(/(?<=\d)(⁻?)([⁰¹²³⁴-⁹]+)/gu, (_, minus: string, raised: string) => {
      const power = [...raised].map((digit) => RAISED.indexOf(digit)).join("");
      return `^${minus === "" ? "" : "-"}${power}`;
    })
    .replaceAll(/(\d+)\s?的\s?(\d{1,2})\s?次方/g, "$1^$2")
    .replaceAll(/(\d*)([½¼¾⅛])/g, (_, whole: string, part: string) => `${whole === "" ? "0" : whole}${FRACTIONS[part] ?? ""}`)
    // Behind a word they are the number of a note, behind a unit a power: m².
    .replaceAll(/(?<=\p{sc=Latin}{3})[¹²³⁰⁴-⁹]+|(?<=\d)[₀-₎]+|[\u2460-\u24ff\u2776-\u2793]/gu, " ")
    .replaceAll(/[Ⅰ-Ⅻⅰ-ⅻ]/g, (sign) => String(ROMAN.indexOf(sign.toUpperCase()) + 1));
  const plain = foldWidth(powers)
    .normalize("NFKC")
    .replaceAll(/[\u2010-\u2015\u2212]/g, "-")
    .replaceAll(PHASE, (numeral) => String(NUMERALS.indexOf(numeral.toUpperCase()) + 1));
  return plainChinese(withPowers(plain));
}

function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  const zero = ZEROS.find((first) => code >= first && code < first + 10);
  return zero === undefined ? digit : String(code - zero);
}

/** 3.2 × 10^4 as 3.2e4, and with a negative power as the decimal number. */
function withPowers(text: string): string {
  return text.replaceAll(
    /(\d+(?:\.\d+)?)\s?[×x*·]\s?10\s?\^\s?(-?)(\d{1,2})(?!\d)/g,
    (whole, mantissa: string, minus: string, power: string) => {
      if (minus === "") return `${mantissa}e${Number(power)}`;
      const [integer = "0", decimals = ""] = mantissa.split(".");
      const digits = integer.padStart(Number(power) + 1, "0");
      return Number(power) > 30 ? whole : `${digits.slice(0, -Number(power))}.${digits.slice(-Number(power))}${decimals}`;
    },
  );
}

/** The numerals of cheques and the old words for twenty and thirty. */
function plainChinese(text: string): string {
  return text
    .replaceAll(/[壹贰叁肆伍陆柒捌玖拾佰仟零萬億万亿]{2,}/g, (run) =>
      /[拾佰仟萬億万亿]/.test(run) ? [...run].map((sign) => (FORMAL.includes(sign) ? PLAIN[FORMAL.indexOf(sign)] : sign)).join("") : run,
    )
    .replaceAll(/[壹贰叁肆柒捌玖](?=[层米元个人名座年月日号次台套份倍])/g, (sign) => PLAIN[FORMAL.indexOf(sign)] ?? sign)
    .replaceAll(/(?<=[\d一二三四五六七八九十百千])[萬億]/g, (sign) => (sign === "萬" ? "万" : "亿"))
    .replaceAll(/廿/g, "二十")
    .replaceAll(/卅(?!惨案)(?=[一二三四五六七八九]|[年月日号岁人个万多余米元层吨斤座名家次台])(?<!五卅)/g, "三十");
}

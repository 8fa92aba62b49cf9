const DIGITS = "零一二三四五六七八九";
const VALUES: Readonly<Record<string, number>> = { 〇: 0, 两: 2, ...Object.fromEntries([...DIGITS].map((digit, i) => [digit, i])) };
const UNITS: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1_000 };
const GROUPS: Readonly<Record<string, number>> = { 万: 4, 亿: 8, 兆: 12 };
const NUMERAL = /[〇零一二两三四五六七八九十百千万亿兆]+(?:点[〇零一二三四五六七八九]+)?/g;
const FRACTION = /([一二三四五六七八九十百千万]+|\d+)分之([〇零一二三四五六七八九十百千点]+|\d+(?:\.\d+)?)/g;
const TENTHS = /([一二三四五六七八九])成([一二三四五六七八九半])/g;
/** Behind one of these a single numeral counts something; alone it is mostly a part of a word. */
const MEASURE =
  /^(?:多|余|个|名|位|家|座|种|项|倍|公?里|英里|千米|厘?米|毫米|公?斤|克|吨|年|月|日|号|天|周[^一-六日]|星期[^一-六日]|小时|分钟|秒|人|份|台|辆|艘|次|层|岁|度|元|美元|欧元|架|届|条|本|篇|章|枚|颗|支|所|村|州|省|国|季度|世纪|成(?![为立长员功本熟绩果就])|%)/;
const MONTHS = /^(?:月|日|号|季度)/;

/**
 * `text` with Chinese numerals in digits: years (二〇二三年), numbers (三十五, 三亿五千万 as 35000e4), parts (百分之十二 as 12%, 三成五 as 35%).
 * Of a claim only what is surely a numeral is read; of a quote, whatever may be one.
 */
export function chineseInDigits(text: string, generous: boolean): string {
  const parted = text
    .replaceAll(FRACTION, (whole, of: string, part: string) => fraction(of, part, generous) ?? whole)
    .replaceAll(TENTHS, (_, tens: string, ones: string) => `${VALUES[tens]}${VALUES[ones] ?? 5}%`);
  return parted.replaceAll(NUMERAL, (numeral, at: number) => {
    if (/^[十百千万亿兆]+$/.test(numeral) && /\d\s?[多余几]?$/.test(parted.slice(0, at))) return numeral;
    const before = parted.slice(Math.max(0, at - 2), at);
    const behind = parted.slice(at + numeral.length, at + numeral.length + 4);
    const value = numeralValue(numeral);
    return value !== null && isFigure(numeral, before, behind, generous) ? value : numeral;
  });
}

function isFigure(numeral: string, before: string, behind: string, generous: boolean): boolean {
  if (/(?:星期|礼拜|周)$/.test(before) && numeral.length === 1) return false;
  if (numeral === "十" && /^分(?!钟)/.test(behind)) return false;
  if (/^[〇零一二三四五六七八九]{2,}$/.test(numeral))
    return generous || /[〇零]/.test(numeral) || numeral.length > 2 || /^年代?/.test(behind);
  if (generous || (/[午晨晚早]上?$/.test(before) && /^点/.test(behind))) return true;
  if (numeral.length > 1) return /[一二两三四五六七八九]/.test(numeral) && !(/^一[百千万亿]$/.test(numeral) && behind === "");
  if (numeral === "一") return MONTHS.test(behind) && !/^[日号]/.test(behind);
  if (numeral === "两" && /[这那]$/.test(before)) return false;
  return /[二两三四五六七八九十]/.test(numeral) && MEASURE.test(behind);
}

/** The value as digits, with an exponent where it is counted in 万 or 亿; null where it is no number. */
export function numeralValue(numeral: string): string | null {
  const [whole = "", decimals] = numeral.split("点");
  if (decimals !== undefined) {
    const integer = numeralValue(whole);
    return integer === null ? null : `${integer}.${[...decimals].map((digit) => VALUES[digit]).join("")}`;
  }
  if (/^[〇零一二三四五六七八九]{2,}$/.test(whole)) return [...whole].map((digit) => VALUES[digit]).join("");
  const exponent = lastGroup(whole);
  const value = wholeValue(whole);
  return value === null ? null : exponent === 0 ? String(value) : `${value / 10n ** BigInt(exponent)}e${exponent}`;
}

function lastGroup(numeral: string): number {
  const tail = /[万亿兆]+$/.exec(numeral)?.[0] ?? "";
  return [...tail].reduce((sum, group) => sum + (GROUPS[group] ?? 0), 0);
}

function wholeValue(numeral: string): bigint | null {
  let total = 0n;
  let section = 0;
  let digit = -1;
  for (const character of numeral) {
    const unit = UNITS[character];
    const group = GROUPS[character];
    if (unit !== undefined) {
      section += (digit < 0 ? 1 : digit) * unit;
      digit = -1;
    } else if (group !== undefined) {
      const own = BigInt(section + Math.max(digit, 0));
      total = own === 0n && total > 0n ? total * 10n ** BigInt(group) : total + (own || 1n) * 10n ** BigInt(group);
      section = 0;
      digit = -1;
    } else {
      if (digit > 0) return null;
      digit = VALUES[character] ?? 0;
    }
  }
  return total + BigInt(section + Math.max(digit, 0));
}

/** `12%` of 百分之十二, `33%` of 三分之一; of a quote more exactly, so that a claim may state more digits. */
function fraction(of: string, part: string, generous: boolean): string | null {
  const whole = Number(/^\d/.test(of) ? of : (numeralValue(of) ?? Number.NaN));
  const share = /^\d/.test(part) ? part : numeralValue(part);
  if (share === null || !(whole > 0)) return null;
  if (whole === 100) return `${share}%`;
  if (whole === 1_000) return `${share}‰`;
  return `${Number(((Number(share) / whole) * 100).toFixed(generous ? 2 : 0))}%`;
}

import { allIn, childAt, childrenOf, valOf, type XmlNode } from "./package.ts";

/** A level of a list (ECMA-376, 17.9). */
interface Level {
  readonly start: number;
  readonly format: string;
  /** Such as `%1.%2`, where `%2` is the number of the second level. */
  readonly text: string;
  readonly style: string;
  /** Whether the level counts on below each paragraph of a higher level. */
  readonly continues: boolean;
  /** Whether all numbers of the text are written as decimals. */
  readonly isLegal: boolean;
}

interface List {
  /** Lists of the same definition count together. */
  readonly definition: string;
  readonly levels: ReadonlyMap<number, Level>;
  readonly restarts: ReadonlyMap<number, number>;
}

const MAX_LEVELS = 9;
const MAX_STYLES = 20;

/** Counts as Word does, which stores no numbers. Call `labelOf` for each paragraph in document order. */
export class Numbering {
  readonly #lists = new Map<string, List>();
  readonly #styles: ReadonlyMap<string, XmlNode>;
  readonly #defaultStyle: string;
  readonly #counts = new Map<string, number[]>();
  readonly #begun = new Set<string>();

  constructor(numbering: XmlNode | null, styles: XmlNode | null) {
    this.#styles = new Map(childrenOf(styles, "style").map((style) => [valOf(style, "styleId"), style]));
    const isDefault = (style: XmlNode): boolean => valOf(style, "type") === "paragraph" && /^(?:1|true|on)$/.test(valOf(style, "default"));
    this.#defaultStyle = valOf(childrenOf(styles, "style").find(isDefault), "styleId");
    const definitions = new Map(childrenOf(numbering, "abstractNum").map((one) => [valOf(one, "abstractNumId"), one]));
    const nums = new Map(childrenOf(numbering, "num").map((num) => [valOf(num, "numId"), num]));
    for (const [id, num] of nums) {
      let definition = valOf(childAt(num, "abstractNumId"));
      const link = valOf(childAt(definitions.get(definition), "numStyleLink"));
      const linked = link === "" ? "" : valOf(childAt(this.#styles.get(link), "pPr", "numPr", "numId"));
      if (linked !== "") definition = valOf(childAt(nums.get(linked), "abstractNumId"));
      this.#lists.set(id, listOf(definition, definitions.get(definition), num));
    }
  }

  /** Returns the number that Word writes before a paragraph, such as `4.2`; `""` if it has none, or a bullet. */
  labelOf(paragraph: XmlNode): string {
    const properties = childAt(paragraph, "pPr");
    const style = valOf(childAt(properties, "pStyle")) || this.#defaultStyle;
    const own = childAt(properties, "numPr");
    const numId = valOf(childAt(own, "numId")) || this.#ofStyle(style, "numId");
    const list = this.#lists.get(numId);
    if (list === undefined) return "";
    const byStyle = [...list.levels].find(([, level]) => level.style !== "" && level.style === style)?.[0];
    const written = valOf(childAt(own, "ilvl")) || (byStyle === undefined ? this.#ofStyle(style, "ilvl") : String(byStyle));
    const at = Math.min(MAX_LEVELS - 1, Number.parseInt(written || "0", 10) || 0);
    const level = list.levels.get(at);
    return level === undefined ? "" : this.#next(numId, list, level, at);
  }

  /** A style inherits the list of the style that it is based on. */
  #ofStyle(style: string, name: "numId" | "ilvl"): string {
    let id = style;
    for (let depth = 0; depth < MAX_STYLES && id !== ""; depth++) {
      const value = valOf(childAt(this.#styles.get(id), "pPr", "numPr", name));
      if (value !== "") return value;
      id = valOf(childAt(this.#styles.get(id), "basedOn"));
    }
    return "";
  }

  #next(numId: string, list: List, level: Level, at: number): string {
    const counts = this.#counts.get(list.definition) ?? [];
    this.#counts.set(list.definition, counts);
    const restart = list.restarts.get(at);
    const isFirst = !this.#begun.has(`${numId} ${at}`);
    this.#begun.add(`${numId} ${at}`);
    counts[at] = isFirst && restart !== undefined ? restart : (counts[at] ?? level.start - 1) + 1;
    for (let below = at + 1; below < MAX_LEVELS; below++) if (list.levels.get(below)?.continues !== true) delete counts[below];
    if (level.format === "bullet") return "";
    return level.text.replaceAll(/%([1-9])/g, (_, digit: string) => {
      const one = list.levels.get(Number(digit) - 1);
      const number = counts[Number(digit) - 1] ?? one?.start ?? 1;
      return one?.format === "none" ? "" : writeNumber(number, level.isLegal ? "decimal" : (one?.format ?? ""));
    });
  }
}

function listOf(definition: string, abstract: XmlNode | undefined, num: XmlNode): List {
  const levels = new Map<number, Level>();
  const restarts = new Map<number, number>();
  for (const level of childrenOf(abstract, "lvl")) levels.set(Number(valOf(level, "ilvl")), levelOf(level));
  for (const change of childrenOf(num, "lvlOverride")) {
    const at = Number(valOf(change, "ilvl"));
    const [level] = childrenOf(change, "lvl");
    if (level !== undefined) levels.set(at, levelOf(level));
    const restart = valOf(childAt(change, "startOverride"));
    if (restart !== "") restarts.set(at, Number.parseInt(restart, 10) || 0);
  }
  return { definition, levels, restarts };
}

function levelOf(level: XmlNode): Level {
  // Newer formats are in an alternative, as in `<mc:Choice><w:numFmt w:val="custom"/></mc:Choice>`.
  const format = valOf(childAt(level, "numFmt")) || valOf(allIn(level, "numFmt").at(-1)) || "decimal";
  const legal = childAt(level, "isLgl");
  return {
    start: Number.parseInt(valOf(childAt(level, "start")) || "0", 10) || 0,
    format,
    text: valOf(childAt(level, "lvlText")),
    style: valOf(childAt(level, "pStyle")),
    continues: valOf(childAt(level, "lvlRestart")) === "0",
    isLegal: legal !== undefined && !/^(?:0|false|off)$/.test(valOf(legal)),
  };
}

const ROMAN = Object.entries({ M: 1_000, CM: 900, D: 500, CD: 400, C: 100, XC: 90, L: 50, XL: 40, X: 10, IX: 9, V: 5, IV: 4, I: 1 });
const MAX_ROMAN = 4_000;
const MAX_REPEATED = 20;
/** The digits and units of formats that write 23 as `二十三`. */
const COUNTED: readonly (readonly [formats: RegExp, signs: string])[] = [
  [/^(?:chinese|taiwanese|japanese)Counting/, "零一二三四五六七八九十百千"],
  [/^chineseLegalSimplified$/, "零壹贰叁肆伍陆柒捌玖拾佰仟"],
  [/^ideographLegalTraditional$/, "零壹貳參肆伍陸柒捌玖拾佰仟"],
];
/** The signs of formats that write one sign for each number, and decimals after the last. */
const SIGNS: Readonly<Record<string, string>> = {
  ideographTraditional: "甲乙丙丁戊己庚辛壬癸",
  ideographZodiac: "子丑寅卯辰巳午未申酉戌亥",
  decimalEnclosedCircle: "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳",
  decimalEnclosedCircleChinese: "①②③④⑤⑥⑦⑧⑨⑩",
};

/** Writes a number in a format of ECMA-376, 17.18.59. Formats that are not known are written as decimals. */
export function writeNumber(number: number, format: string): string {
  const decimal = String(number);
  if (number <= 0) return decimal;
  if (format === "lowerLetter" || format === "lowerRoman") return writeNumber(number, `upper${format.slice(5)}`).toLowerCase();
  if (format === "upperLetter" && number <= 26 * MAX_REPEATED)
    return String.fromCodePoint(65 + ((number - 1) % 26)).repeat(Math.ceil(number / 26));
  if (format === "upperRoman" && number < MAX_ROMAN) return roman(number);
  if (format === "decimalZero") return decimal.padStart(2, "0");
  if (format.startsWith("decimalFullWidth")) return decimal.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
  const counted = COUNTED.find(([formats]) => formats.test(format))?.[1];
  if (counted !== undefined && number < 10_000) return countWith(counted, decimal);
  return Array.from(SIGNS[format] ?? "")[number - 1] ?? decimal;
}

function roman(number: number): string {
  let left = number;
  return ROMAN.map(([letters, value]) => {
    const times = Math.floor(left / value);
    left -= times * value;
    return letters.repeat(times);
  }).join("");
}

/** Writes 105 as `一百零五` and 12 as `十二`. */
function countWith(signs: string, decimal: string): string {
  const zero = signs.charAt(0);
  const written = Array.from(decimal, (digit, i) => {
    const unit = decimal.length - 1 - i;
    return digit === "0" ? zero : signs.charAt(Number(digit)) + (unit === 0 ? "" : signs.charAt(9 + unit));
  }).join("");
  const short = written.replaceAll(/零+/g, zero).replace(/零$/, "");
  return decimal.length === 2 && decimal.startsWith("1") ? short.slice(1) : short;
}

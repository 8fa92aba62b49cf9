/** Makes a hostile text of `length` UTF-16 code units. Equal lengths give equal texts. */
type Maker = (length: number) => string;

/** Mulberry32, a small seeded generator. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function repeated(unit: string): Maker {
  return (length) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}

/** Half of the length opens, the other half closes. */
function nested(open: string, close: string, inside = "word"): Maker {
  return (length) => {
    const depth = Math.floor((length - inside.length) / (open.length + close.length));
    return `${open.repeat(depth)}${inside}${close.repeat(depth)}`;
  };
}

function numbered(unit: (number: number) => string): Maker {
  return (length) => {
    const parts: string[] = [];
    for (let size = 0, number = 1; size < length; number++) {
      const part = unit(number);
      parts.push(part);
      size += part.length;
    }
    return parts.join("").slice(0, length);
  };
}

function picked(from: string, seed: number): Maker {
  const characters = Array.from(from);
  return (length) => {
    const random = randomFrom(seed);
    return numbered(() => characters[Math.floor(random() * characters.length)] ?? "")(length);
  };
}

/** Lists that become deeper line by line, up to 200 levels. */
const staircase = numbered((line) => `${" ".repeat(2 * (line % 200))}- a\n`);

const UNITS: readonly (readonly [name: string, unit: string])[] = [
  ["marks", "\u0301"],
  ["marks on letters", `a${"\u0301".repeat(40)}`],
  ["marks on Chinese", `水${"\u0301\u0302".repeat(20)}`],
  ["invisible", "\u202e\u200b\u2028"],
  ["joiners", "\u200d\u200c"],
  ["one word", "a"],
  ["one capital word", "aB"],
  ["one Chinese word", "水"],
  ["CJK without stops", "长江三峡水库蓄水位达到"],
  ["traditional CJK", "臺灣龍與鳳凰電腦"],
  ["hangul", "한국어문장"],
  ["thai", "ภาษาไทย"],
  ["ligatures", "ﷺ"],
  ["emoji", "👩‍👩‍👧‍👦"],
  ["flags", "🇨🇳"],
  ["lone surrogates", "\ud83d"],
  ["list lines", "- a\n"],
  ["numbered lines", "1. a\n"],
  ["tildes", "~~~\n"],
  ["strikes", "~~a"],
  ["backticks", "`a``b"],
  ["emphasis", "*_a"],
  ["stars", "**a "],
  ["dollars", "$x$ $"],
  ["open links", "[a]("],
  ["open images", "!["],
  ["open brackets", "["],
  ["closed brackets", "a]"],
  ["definitions", "[a]: b\n"],
  ["footnotes", "[^1]: 水[^1]\n"],
  ["citation marks", "[1]"],
  ["passage marks", '[P1: "'],
  ["cited quotes", 'Water is wet. [P1: "水 water is wet"]\n'],
  ["source ids", "[S1][P2, P3]"],
  ["quotes", "\"“'‘「"],
  ["Chinese quotes", "「水」『"],
  ["divs", "<div>"],
  ["tags", "<a b=c>"],
  ["half tags", "<a "],
  ["open angles", "<"],
  ["comments", "<!--"],
  ["entities", "&amp;&#x41;&"],
  ["backslashes", "\\"],
  ["table", "|a|b\n"],
  ["table of one letter", "|a\n|-\n"],
  ["pipes", "|"],
  ["headings", "# 水\n"],
  ["rules", "- - "],
  ["block quotes", "> "],
  ["quoted lines", "> > > 水\n"],
  ["addresses", "http://a.b/c?d=e "],
  ["one address", "http://a.b/"],
  ["hosts", "a.b.c."],
  ["Chinese dots", "a。b。"],
  ["answers", "The lighthouse. Built 1874. 灯塔。"],
  ["disguised hosts", "a dot com [.] "],
  ["mails", "a@b."],
  ["at signs", "@a"],
  ["dates", "2024-01-02 2024年1月2日 "],
  ["half dates", "2024年1"],
  ["digits", "1"],
  ["grouped digits", "1,234,"],
  ["decimals", "1.2."],
  ["amounts", "$5 million to 10%, "],
  ["Chinese numerals", "一百零二万"],
  ["Chinese zeros", "零一"],
  ["superscripts", "2⁹"],
  ["blanks", " "],
  ["blank lines", " \n"],
  ["line breaks", "\n"],
  ["wide blanks", "\u3000水"],
  ["tabs", "\t-"],
  ["hyphens", "a-"],
  ["line hyphens", "a-\n"],
  ["dots", "."],
  ["ellipses", "…a"],
  ["stops", "a. "],
  ["Chinese stops", "水。"],
  ["semicolons", "；水"],
  ["abbreviations", "e.g. Dr. A. "],
  ["apostrophes", "a'"],
  ["compounds", "a_b/c:d@e&f,"],
  ["zeros", "\u0000a"],
  ["think tags", "</think><think>"],
  ["tool tags", "<tool_call>{"],
  ["JSON", '{"a":['],
  ["DOIs", "10.1234/a "],
  ["one DOI", "10.1234/"],
  ["raised numbers", "<sup>1</sup>"],
];

export const HOSTILE_TEXTS: readonly (readonly [name: string, make: Maker])[] = [
  ...UNITS.map(([name, unit]) => [name, repeated(unit)] as const),
  ["nested brackets", nested("[", "]")],
  ["nested parentheses", nested("(", ")", "水")],
  ["nested links", nested("[a ", "](b)")],
  ["nested divs", nested("<div>", "</div>")],
  ["nested quotes", nested("“", "”", "水")],
  ["nested arrays", nested("[", "]", "1")],
  ["nested objects", nested('{"a":', "}", "1")],
  ["staircase", staircase],
  ["different words", numbered((number) => `word${number.toString(36)} `)],
  ["different sentences", numbered((number) => `The river ${number} is ${number * 7} km long. `)],
  ["different Chinese sentences", numbered((number) => `第${number}条河长${number * 7}公里。`)],
  ["different headings", numbered((number) => `${"#".repeat(1 + (number % 6))} 水 ${number}\n`)],
  ["random marks of Markdown", picked("*_`~[]()<>!|#-+ \na水1", 1)],
  ["random characters", picked("水火木金土abcAB 123,.。，\n\u0301'\"“”-", 2)],
  ["all Chinese characters", picked(String.fromCodePoint(...Array.from({ length: 20_000 }, (_, i) => 0x4e00 + i)), 3)],
];

import { type FontName, lettersOf } from "../fonts.ts";

/** Stands for a character that no font has. */
export const REPLACEMENT = "□";
/** Characters that are named; more are counted. */
const MAX_NAMED = 24;

const CHINESE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Bopomofo}\u3000-\u303f\uff00-\uffef]/u;
/** Chinese and Latin text share these characters, and set them in different widths. */
const SHARED = /^[“”‘’…—·]$/u;
/** Has no shape of its own: joiners, variation selectors, marks of direction. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

export interface FontRun {
  readonly text: string;
  readonly font: FontName;
}

/** Divides texts by the font that has their letters, and remembers what none has. */
export interface Typesetter {
  runsOf(text: string): FontRun[];
  /** How many characters were replaced so far, and which. */
  replaced(): { readonly count: number; readonly characters: string };
}

export function createTypesetter(): Typesetter {
  const letters: Readonly<Record<FontName, ReadonlySet<number>>> = { latin: lettersOf("latin"), chinese: lettersOf("chinese") };
  const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const missing = new Set<string>();
  let count = 0;

  const has = (font: FontName, cluster: string): boolean => [...cluster].every((letter) => letters[font].has(letter.codePointAt(0) ?? 0));

  function fontOf(cluster: string, before: string, after: string): FontName | null {
    const chinese = CHINESE.test(cluster) || (SHARED.test(cluster) && (CHINESE.test(before) || CHINESE.test(after)));
    const order: readonly FontName[] = chinese ? ["chinese", "latin"] : ["latin", "chinese"];
    return order.find((font) => has(font, cluster)) ?? null;
  }

  function replace(cluster: string): FontRun {
    count += 1;
    if (missing.size < MAX_NAMED) missing.add([...cluster].map(nameOf).join("+"));
    return { text: REPLACEMENT, font: "chinese" };
  }

  return {
    runsOf(text) {
      const clusters = [...segmenter.segment(text.normalize("NFC").replace(INVISIBLE, ""))].map(({ segment }) => segment);
      const runs = clusters.map((cluster, index) => {
        const font = fontOf(cluster, clusters[index - 1] ?? "", clusters[index + 1] ?? "");
        return font === null ? replace(cluster) : { text: cluster, font };
      });
      return joined(runs);
    },
    replaced: () => ({ count, characters: `${[...missing].join(" ")}${count > missing.size && missing.size === MAX_NAMED ? " …" : ""}` }),
  };
}

function joined(runs: readonly FontRun[]): FontRun[] {
  const all: { text: string[]; font: FontName }[] = [];
  for (const { text, font } of runs) {
    const last = all.at(-1);
    if (last?.font === font) last.text.push(text);
    else all.push({ text: [text], font });
  }
  return all.map(({ text, font }) => ({ text: text.join(""), font }));
}

function nameOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

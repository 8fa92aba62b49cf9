import { isTraditionalChinese, primaryLanguage } from "../query/language-tag.ts";

/** Editions that are asked: the largest, and those of languages that many people write. */
const EDITIONS = [
  "ar",
  "bn",
  "cs",
  "da",
  "de",
  "el",
  "en",
  "es",
  "fa",
  "fi",
  "fr",
  "he",
  "hi",
  "hu",
  "id",
  "it",
  "ja",
  "ko",
  "nl",
  "no",
  "pl",
  "pt",
  "ro",
  "ru",
  "sv",
  "th",
  "tr",
  "uk",
  "vi",
  "zh",
] as const;
/** Tags that go by another name there. */
const ALIASES: Readonly<Record<string, string>> = { nb: "no", nn: "no", iw: "he", in: "id", cmn: "zh", yue: "zh", wuu: "zh" };

export const HOSTS: readonly string[] = EDITIONS.map(hostOf);

/** An edition, and for one that is written in several scripts the variant a reader wants: `zh-cn`. */
export interface Edition {
  readonly language: string;
  readonly variant?: string;
}

export const ENGLISH: Edition = { language: "en" };

/** The edition in the language of a tag; the English one where there is none. */
export function editionFor(tag: string): Edition {
  const asked = primaryLanguage(tag);
  const language = EDITIONS.find((edition) => edition === (ALIASES[asked] ?? asked));
  if (language === undefined) return ENGLISH;
  return language === "zh" ? { language, variant: chineseVariant(tag) } : { language };
}

export function hostOf(language: string): string {
  return `${language}.wikipedia.org`;
}

/** One Chinese edition serves all regions and converts characters and words. */
function chineseVariant(tag: string): string {
  if (/-(?:hk|mo)\b/i.test(tag)) return "zh-hk";
  return isTraditionalChinese(tag) ? "zh-tw" : "zh-cn";
}

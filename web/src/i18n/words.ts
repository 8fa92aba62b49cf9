export const LANGUAGES = ["en", "zh"] as const;
export type Language = (typeof LANGUAGES)[number];

/** A text with `{name}` places, or its forms by CLDR plural category, chosen by the value `count`. */
type Word = string | { readonly one: string; readonly other: string };

export type Words<Key extends string> = Readonly<Record<Language, Readonly<Record<Key, Word>>>>;

/** Both languages must have the same keys. Each view has its own words, so a view that is loaded lazily brings them with it. */
export function defineWords<const English extends Readonly<Record<string, Word>>>(
  en: English,
  zh: Readonly<Record<keyof English & string, Word>>,
): Words<keyof English & string> {
  return { en, zh };
}

export type Values = Readonly<Record<string, string | number>>;

export function fill<Key extends string>(words: Words<Key>, language: Language, key: Key, values: Values = {}): string {
  const word = words[language][key];
  const text = typeof word === "string" ? word : formOf(word, language, Number(values["count"] ?? 0));
  return text.replaceAll(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name];
    if (value === undefined) return place;
    return typeof value === "number" ? value.toLocaleString(language) : value;
  });
}

function formOf(word: Exclude<Word, string>, language: Language, count: number): string {
  return new Intl.PluralRules(language).select(count) === "one" ? word.one : word.other;
}

/** Chinese if the browser prefers it, otherwise English. */
export function preferredLanguage(preferences: readonly string[]): Language {
  const known = preferences.map((tag) => tag.toLowerCase().split("-")[0]).find((tag) => tag === "zh" || tag === "en");
  return known === "zh" ? "zh" : "en";
}

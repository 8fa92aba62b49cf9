/** BCP 47 for a language that is not determined. */
export const UNDETERMINED = "und";

const UNSPECIFIC: ReadonlySet<string> = new Set([UNDETERMINED, "mul", "mis", "zxx"]);
const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
const SCRIPTS = ["", "-Hans", "-Hant"];
const namesIn = (tag: string): Intl.DisplayNames => new Intl.DisplayNames([tag], { type: "language", fallback: "none" });
const ENGLISH = namesIn("en");
const CHINESE = [namesIn("zh-Hans"), namesIn("zh-Hant")];

/**
 * Returns the primary BCP 47 subtag of a code, such as `zh` of `zh-Hant-TW` and `de` of `ger`, or of a name in English, Chinese or the
 * language itself, such as `German`, 德语 and `Deutsch`. Returns `und` for what names no single language, and null for what is neither.
 */
export function languageCode(given: string): string | null {
  const text = given.trim();
  return codeOfTag(text.replaceAll("_", "-")) ?? namesOfLanguages().get(fold(text)) ?? null;
}

function codeOfTag(tag: string): string | null {
  try {
    // V8 gives none for `und`.
    const { language = UNDETERMINED }: { language?: string } = new Intl.Locale(tag);
    if (UNSPECIFIC.has(language)) return UNDETERMINED;
    const name = language.length <= 3 ? ENGLISH.of(language) : undefined;
    // A language of two letters also has codes of three.
    return name === undefined ? null : language.length === 2 ? language : (namesOfLanguages().get(fold(name)) ?? language);
  } catch {
    return null;
  }
}

let names: ReadonlyMap<string, string> | null = null;

/** The names of all languages that have a code of two letters (ISO 639-1), as the Unicode CLDR has them. Takes some ten milliseconds once. */
function namesOfLanguages(): ReadonlyMap<string, string> {
  names ??= new Map(
    LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
      .filter((code) => ENGLISH.of(code) !== undefined)
      .flatMap((code) => {
        const { language } = new Intl.Locale(code);
        const tables = [namesIn(code), ...CHINESE, ENGLISH];
        return tables.flatMap((table) => SCRIPTS.map((script) => [fold(table.of(code + script) ?? code), language] as const));
      }),
  );
  return names;
}

function fold(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}

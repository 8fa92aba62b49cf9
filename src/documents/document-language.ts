import { detectLanguage } from "../ranking/language.ts";
import { STOP_TERMS } from "../ranking/stop-words.ts";
import { tokenise } from "../ranking/tokenise.ts";

/** Scripts (ISO 15924, as Intl.Locale maximises a tag) that a text may be declared to be in, by the script it shows. */
const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  zh: ["Hans", "Hant", "Hani", "Bopo", "Jpan"],
  ja: ["Jpan"],
  ko: ["Kore", "Hang"],
  ar: ["Arab"],
  ru: ["Cyrl"],
};
/** Of an English text about two words in five are function words; of other languages in Latin script few look like one. */
const ENGLISH_SHARE = 0.25;
const SAMPLE_LENGTH = 2_000;

/**
 * The language of a text as a BCP 47 tag: the declared one unless the script of the text contradicts it (templates
 * often declare `en` around any text), otherwise the script's, `en` where the function words are English, or null.
 */
export function documentLanguage(declared: string | null | undefined, text: string): string | null {
  const tag = canonicalTag(declared);
  const shown = shownLanguage(text);
  if (tag === null || shown === null) return tag ?? shown;
  const script = new Intl.Locale(tag).maximize().script ?? "";
  const fits = shown === "en" ? !Object.values(SCRIPTS).flat().includes(script) : SCRIPTS[shown]?.includes(script);
  return fits ? tag : shown;
}

function canonicalTag(declared: string | null | undefined): string | null {
  try {
    const tag = Intl.getCanonicalLocales((declared ?? "").trim().replaceAll("_", "-"))[0] ?? null;
    return tag === "und" ? null : tag;
  } catch {
    return null;
  }
}

function shownLanguage(text: string): string | null {
  const detected = detectLanguage(text);
  if (detected !== "en") return detected;
  const terms = tokenise(text.slice(0, SAMPLE_LENGTH));
  const common = terms.filter((term) => STOP_TERMS.has(term)).length;
  return terms.length > 0 && common / terms.length >= ENGLISH_SHARE ? "en" : null;
}

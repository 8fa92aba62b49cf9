import { resolveLanguage } from "./language.ts";

const names = new Intl.DisplayNames(["en"], { type: "language" });

/** What a model is told to write in: `Chinese (zh)`; the question's language where none was asked for. */
export function languageName({ language, question }: { readonly language: string; readonly question: string }): string {
  if (language === "auto" || language === "") {
    const detected = resolveLanguage(language, question);
    // English stands for all languages of its script.
    return detected === "en" ? "the language of the question" : `${names.of(detected)} (${detected})`;
  }
  return `${names.of(language)} (${language})`;
}

import { createContext, type ReactNode, useContext, useLayoutEffect, useMemo, useState } from "react";
import { keep, readKept } from "../ui/kept.ts";
import { fill, type Language, preferredLanguage, type Values, type Words } from "./words.ts";

const PLACE = "dossier.language";

interface LanguageChoice {
  readonly language: Language;
  readonly choose: (language: Language) => void;
}

const LanguageContext = createContext<LanguageChoice>({ language: "en", choose: () => {} });

export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState<Language>(() => storedLanguage() ?? preferredLanguage(navigator.languages));
  useLayoutEffect(() => {
    document.documentElement.lang = language === "zh" ? "zh-Hans" : "en";
  }, [language]);
  const choice = useMemo(() => {
    const choose = (next: Language): void => {
      keep(PLACE, next);
      setLanguage(next);
    };
    return { language, choose };
  }, [language]);
  return <LanguageContext value={choice}>{children}</LanguageContext>;
}

function storedLanguage(): Language | null {
  const stored = readKept(PLACE);
  return stored === "en" || stored === "zh" ? stored : null;
}

export function useLanguage(): LanguageChoice {
  return useContext(LanguageContext);
}

export type Say<Key extends string> = (key: Key, values?: Values) => string;

/** Returns the function that says a view's words in the chosen language. */
export function useWords<Key extends string>(words: Words<Key>): Say<Key> {
  const { language } = useLanguage();
  return useMemo(() => (key, values) => fill(words, language, key, values), [words, language]);
}

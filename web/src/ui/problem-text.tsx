import { useLanguage } from "../i18n/language.tsx";
import { PROBLEMS_ZH } from "./problem-words.ts";

/** What a problem means in the reader's language, with the message of the server, which is in English. */
export function ProblemText({ code, message }: { readonly code: string; readonly message: string }) {
  const { language } = useLanguage();
  const meaning = language === "zh" && Object.hasOwn(PROBLEMS_ZH, code) ? PROBLEMS_ZH[code] : undefined;
  return (
    <>
      {meaning !== undefined && <p>{meaning}</p>}
      <p className={meaning === undefined ? undefined : "quiet"} lang={meaning === undefined ? undefined : "en"}>
        {message} <code>{code}</code>
      </p>
    </>
  );
}

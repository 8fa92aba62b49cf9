import { useLanguage } from "../i18n/language.tsx";
import { ServerWords } from "../ui/server-words.tsx";
import { useFailureText } from "./failure-text.ts";

/** Why something failed, in the reader's language by its code; the words of the server, which are English, stand beside or below it. */
export function FailureNote({ code, message }: { readonly code: string; readonly message: string }) {
  const { language } = useLanguage();
  const failureText = useFailureText();
  const meaning = failureText(code);
  if (language === "en") {
    return (
      <span>
        {meaning !== code && !message.startsWith(meaning) && `${meaning} `}
        {message} <code>{code}</code>
      </span>
    );
  }
  return (
    <>
      <span>{meaning}</span>
      {message !== "" && (
        <ServerWords>
          {message} <code>{code}</code>
        </ServerWords>
      )}
    </>
  );
}

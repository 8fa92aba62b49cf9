import { useLanguage, useWords } from "../i18n/language.tsx";
import { Fold } from "../ui/fold.tsx";
import { uiWords } from "../ui/ui-words.ts";
import { useFailureText } from "./failure-text.ts";

/** Why something failed, in the reader's language by its code; the words of the server, which are English, stand beside or below it. */
export function FailureNote({ code, message }: { readonly code: string; readonly message: string }) {
  const say = useWords(uiWords);
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
        <Fold className="quiet" summary={say("serverSaid")}>
          {() => (
            <p lang="en">
              {message} <code>{code}</code>
            </p>
          )}
        </Fold>
      )}
    </>
  );
}

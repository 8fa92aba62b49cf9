import type { ReactNode } from "react";
import { useWords } from "../i18n/language.tsx";
import { Fold } from "./fold.tsx";
import { uiWords } from "./ui-words.ts";

/** What the server says itself, in English, folded below what the page says of it. */
export function ServerWords({ children }: { readonly children: ReactNode }) {
  const say = useWords(uiWords);
  return (
    <Fold className="quiet" summary={say("serverSaid")}>
      {() => <p lang="en">{children}</p>}
    </Fold>
  );
}

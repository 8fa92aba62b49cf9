import type { SourceState } from "../../../../src/domain/ports/run-service.ts";
import { formatTime } from "../../i18n/format.ts";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { useFailureText } from "../failure-text.ts";
import { systemWords } from "./system-words.ts";

/** How something did when it was last used. */
export function HealthMark({ lastTry }: { readonly lastTry: SourceState["lastTry"] }) {
  const say = useWords(systemWords);
  const { language } = useLanguage();
  const failureText = useFailureText();
  if (lastTry === null) return <span className="quiet">{say("never")}</span>;
  const time = formatTime(lastTry.at, language);
  if (lastTry.reachable) return <span className="tag tag-good">{say("answered", { time })}</span>;
  return <span className="tag tag-problem">{say("failed", { time, failure: failureText(lastTry.failure) })}</span>;
}

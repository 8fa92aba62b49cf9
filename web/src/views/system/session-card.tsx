import { useCallback, useState } from "react";
import { getSession, signOut } from "../../api/endpoints.ts";
import { asProblem, type Problem } from "../../api/problem.ts";
import { formatTime } from "../../i18n/format.ts";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { useResource } from "../../ui/use-resource.ts";
import { systemWords } from "./system-words.ts";

/** The names of people who have no key begin so. */
const SIGNED_IN = "oidc:";

/** Whose key this browser has signed in with. Where nobody needs a key, there is nothing to say. */
export function SessionCard() {
  const say = useWords(systemWords);
  const { language } = useLanguage();
  const { data } = useResource(useCallback((signal: AbortSignal) => getSession(signal), []));
  const [failed, setFailed] = useState<Problem | null>(null);
  if (data === null || !data.isSession) return null;
  const { name, tenant, scopes, expiresAt } = data;
  const person = name?.startsWith(SIGNED_IN) ? name.slice(SIGNED_IN.length) : null;
  const leave = (): void => void signOut().catch((error: unknown) => setFailed(asProblem(error)));
  return (
    <section className="card system-card">
      <h2>{say("session")}</h2>
      <p>{person === null ? say("sessionOf", { name: name ?? "", tenant }) : say("sessionAs", { name: person, tenant })}</p>
      <p className="quiet">
        {say("sessionMay", { scopes: scopes.join(", ") })}
        {expiresAt !== null && ` ${say("sessionUntil", { time: formatTime(expiresAt, language) })}`}
      </p>
      {failed !== null && <ProblemNotice problem={failed} onRetry={leave} />}
      <Button onPress={leave}>{say("signOut")}</Button>
    </section>
  );
}

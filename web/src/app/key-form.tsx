import { type FormEvent, useEffect, useState, useSyncExternalStore } from "react";
import { getSession, signIn } from "../api/endpoints.ts";
import { asProblem, type Problem } from "../api/problem.ts";
import { isKeyAsked, onSessionChange } from "../api/sign-in.ts";
import { useWords } from "../i18n/language.tsx";
import { Button } from "../ui/button.tsx";
import { ProblemNotice } from "../ui/notice.tsx";
import { appWords } from "./app-words.ts";
import { leaveToSignIn } from "./come-back.ts";
import "./key-form.css";

/**
 * Shown when the server has refused a request for want of a key. Where people sign in at a provider, a button leads there. The views load
 * again when somebody has signed in.
 */
export function KeyForm() {
  const say = useWords(appWords);
  const isAsked = useSyncExternalStore(onSessionChange, isKeyAsked);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isOffered, setOffered] = useState(false);
  useEffect(() => {
    const leaving = new AbortController();
    const look = async (): Promise<void> => setOffered((await getSession(leaving.signal)).oidc);
    // Without an answer the form takes a key.
    if (isAsked) look().catch(() => undefined);
    return () => leaving.abort();
  }, [isAsked]);
  if (!isAsked) return null;
  const use = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const key = new FormData(event.currentTarget).get("key");
    if (typeof key !== "string" || key.trim() === "") return;
    setProblem(null);
    signIn(key.trim()).catch((error: unknown) => setProblem(asProblem(error)));
  };
  return (
    <form className="key-form" onSubmit={use} aria-labelledby="key-title">
      <h2 id="key-title">{say(isOffered ? "signInTitle" : "keyTitle")}</h2>
      {isOffered && (
        <Button kind="main" onPress={leaveToSignIn}>
          {say("signIn")}
        </Button>
      )}
      <label>
        {say("keyLabel")}
        <input name="key" type="password" autoComplete="current-password" required aria-describedby="key-help" />
      </label>
      <p id="key-help">{say("keyHelp")}</p>
      {problem !== null && <ProblemNotice problem={problem} />}
      <Button type="submit" kind={isOffered ? "plain" : "main"}>
        {say(isOffered ? "keySignIn" : "keyUse")}
      </Button>
    </form>
  );
}

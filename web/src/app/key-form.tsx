import { type FormEvent, useState, useSyncExternalStore } from "react";
import { signIn } from "../api/endpoints.ts";
import { asProblem, type Problem } from "../api/problem.ts";
import { isKeyAsked, onSessionChange } from "../api/sign-in.ts";
import { useWords } from "../i18n/language.tsx";
import { Button } from "../ui/button.tsx";
import { ProblemNotice } from "../ui/notice.tsx";
import { appWords } from "./app-words.ts";
import "./key-form.css";

/** Shown when the server has refused a request for want of a key. The views load again when somebody has signed in. */
export function KeyForm() {
  const say = useWords(appWords);
  const isAsked = useSyncExternalStore(onSessionChange, isKeyAsked);
  const [problem, setProblem] = useState<Problem | null>(null);
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
      <h2 id="key-title">{say("keyTitle")}</h2>
      <label>
        {say("keyLabel")}
        <input name="key" type="password" autoComplete="current-password" required aria-describedby="key-help" />
      </label>
      <p id="key-help">{say("keyHelp")}</p>
      {problem !== null && <ProblemNotice problem={problem} />}
      <Button type="submit" kind="main">
        {say("keyUse")}
      </Button>
    </form>
  );
}

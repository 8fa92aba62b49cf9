import { type FormEvent, useSyncExternalStore } from "react";
import { isKeyAsked, onKeyChange, setApiKey } from "../api/api-key.ts";
import { useWords } from "../i18n/language.tsx";
import { Button } from "../ui/button.tsx";
import { appWords } from "./app-words.ts";
import "./key-form.css";

/** Shown when the server has refused a request for want of a key. The views then load again with it. */
export function KeyForm() {
  const say = useWords(appWords);
  const isAsked = useSyncExternalStore(onKeyChange, isKeyAsked);
  if (!isAsked) return null;
  const use = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const key = new FormData(event.currentTarget).get("key");
    if (typeof key !== "string" || key.trim() === "") return;
    setApiKey(key.trim());
  };
  return (
    <form className="key-form" onSubmit={use} aria-labelledby="key-title">
      <h2 id="key-title">{say("keyTitle")}</h2>
      <label>
        {say("keyLabel")}
        <input name="key" type="password" autoComplete="off" required aria-describedby="key-help" />
      </label>
      <p id="key-help">{say("keyHelp")}</p>
      <Button type="submit" kind="main">
        {say("keyUse")}
      </Button>
    </form>
  );
}

import { useState } from "react";
import { useWords } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import { runWords } from "./run-words.ts";

/** Browsers ask for the permission only after a click. Shown where it is not decided yet. */
export function NotifyButton() {
  const say = useWords(runWords);
  const [permission, setPermission] = useState(() => (typeof Notification === "undefined" ? "denied" : Notification.permission));
  if (permission !== "default") return null;
  const ask = (): void => void Notification.requestPermission().then(setPermission);
  return (
    <Button kind="quiet" onPress={ask}>
      {say("notify")}
    </Button>
  );
}

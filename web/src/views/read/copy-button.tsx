import { useEffect, useState } from "react";
import { useWords } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import { readWords } from "./read-words.ts";

const SHOWN_MS = 2_500;

/** Copies something, and says for a moment whether it did. */
export function CopyButton({ label, copy }: { readonly label: string; readonly copy: () => Promise<void> }) {
  const say = useWords(readWords);
  const [state, setState] = useState<"idle" | "copied" | "refused">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const press = (): void => {
    copy().then(
      () => setState("copied"),
      () => setState("refused"),
    );
  };
  return (
    <>
      <Button kind="quiet" onPress={press}>
        {state === "idle" ? label : say(state === "copied" ? "copied" : "notCopied")}
      </Button>
      <span className="hidden-text" role="status">
        {state === "idle" ? "" : say(state === "copied" ? "copied" : "notCopied")}
      </span>
    </>
  );
}

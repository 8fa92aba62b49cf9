import { useEffect, useRef } from "react";
import type { RunStatus } from "../../../../src/domain/run.ts";
import { useWords } from "../../i18n/language.tsx";
import { statusWords } from "../../ui/status-tag.tsx";
import { isEnded } from "../../view-model/ended.ts";

const MAX_TITLE = 80;

/** Says the state of the run in the title of the tab and, where the user has allowed it, in a notification when it ends or asks. */
export function useEndNotice(question: string, status: RunStatus): void {
  const say = useWords(statusWords);
  const before = useRef(status);
  useEffect(() => {
    const short = question.length > MAX_TITLE ? `${question.slice(0, MAX_TITLE)}…` : question;
    document.title = `${say(status)}: ${short}`;
    const wasOpen = before.current === "running" || before.current === "queued" || before.current === "waiting";
    const isNews = wasOpen && before.current !== status && (isEnded(status) || status === "waiting");
    before.current = status;
    if (isNews && document.visibilityState !== "visible") notify(say(status), short);
    return () => {
      document.title = "Dossier";
    };
  }, [question, status, say]);
}

function notify(title: string, body: string): void {
  if (typeof Notification === "undefined" || Notification.permission !== "granted") return;
  try {
    new Notification(title, { body });
  } catch {
    // Some telephones allow notifications to service workers only. The title of the tab says it too.
  }
}

import type { ReactNode } from "react";
import type { Problem } from "../api/problem.ts";
import { useWords } from "../i18n/language.tsx";
import { Button } from "./button.tsx";
import { ProblemText } from "./problem-text.tsx";
import { uiWords } from "./ui-words.ts";

export interface NoticeProps {
  readonly tone?: "info" | "problem" | "good" | "attention";
  readonly title?: string;
  readonly children?: ReactNode;
}

/** Something that the reader should know. A `problem` is announced at once. */
export function Notice({ tone = "info", title, children }: NoticeProps) {
  return (
    <div className={`notice notice-${tone}`} role={tone === "problem" ? "alert" : "status"}>
      {title !== undefined && <p className="notice-title">{title}</p>}
      {children}
    </div>
  );
}

/** Says what has failed, what the server says of it, and offers to try again. */
export function ProblemNotice({
  problem,
  title,
  onRetry,
}: {
  readonly problem: Problem;
  readonly title?: string;
  readonly onRetry?: () => void;
}) {
  const say = useWords(uiWords);
  const isOffline = problem.code === "offline";
  return (
    <Notice tone="problem" title={title ?? say(isOffline ? "unreachable" : "refused")}>
      {isOffline ? <p>{say("unreachableHelp")}</p> : <ProblemText code={problem.code} message={problem.message} />}
      {problem.faults.length > 0 && (
        <ul>
          {problem.faults.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {onRetry !== undefined && <Button onPress={onRetry}>{say("retry")}</Button>}
    </Notice>
  );
}

export function Loading({ label }: { readonly label?: string }) {
  const say = useWords(uiWords);
  return (
    <p className="loading" role="status">
      <span className="loading-mark" aria-hidden="true" />
      {label ?? say("loading")}
    </p>
  );
}

import type { ReactNode } from "react";
import type { Problem } from "../api/problem.ts";
import { useLanguage, useWords } from "../i18n/language.tsx";
import { Button } from "./button.tsx";
import { sayProblem } from "./say-problem.ts";
import { ServerWords } from "./server-words.tsx";
import { uiWords } from "./ui-words.ts";

export interface NoticeProps {
  readonly tone?: "info" | "problem" | "attention";
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

/** Says what has failed and why, with the server's own sentence folded, and offers to try again. */
export function ProblemNotice({
  problem,
  title,
  onRetry,
  fileNames = [],
}: {
  readonly problem: Problem;
  readonly title?: string;
  readonly onRetry?: () => void;
  /** Of the files that were sent, in their order. */
  readonly fileNames?: readonly string[];
}) {
  const say = useWords(uiWords);
  const { language } = useLanguage();
  const { line, fields, original } = sayProblem(problem, language, fileNames);
  const isOffline = problem.code === "offline";
  return (
    <Notice tone="problem" title={title ?? say(isOffline ? "unreachable" : "refused")}>
      <p>{isOffline ? say("unreachableHelp") : line}</p>
      {fields.length > 0 && (
        <ul>
          {fields.map((field) => (
            <li key={field}>
              <bdi>{field}</bdi>
            </li>
          ))}
        </ul>
      )}
      {!isOffline && original !== null && <ServerWords>{original}</ServerWords>}
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

import { useRef, useState } from "react";
import { attemptKey } from "../../api/attempt-key.ts";
import { startRun } from "../../api/endpoints.ts";
import { asProblem, type Problem } from "../../api/problem.ts";
import type { ResearchDraft } from "../../api/research-draft.ts";
import { navigate } from "../../app/router.tsx";
import { runAddress } from "../../ui/addresses.ts";

export interface SendOptions {
  readonly files?: readonly File[];
  readonly onStarted?: () => void;
  readonly onRefused?: (problem: Problem) => void;
}

interface Sending {
  /** Starts a run and goes to it. */
  readonly send: (draft: ResearchDraft, options?: SendOptions) => void;
  readonly isSending: boolean;
  readonly problem: Problem | null;
}

/** One key for each attempt, so that a request whose answer was lost does not start a second run. */
export function useSend(): Sending {
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const attempt = useRef({ body: "", key: "" });
  const send = (draft: ResearchDraft, { files = [], onStarted, onRefused }: SendOptions = {}): void => {
    const body = JSON.stringify([draft, files.map(({ name, size, lastModified }) => [name, size, lastModified])]);
    if (attempt.current.body !== body) attempt.current = { body, key: attemptKey() };
    setSending(true);
    setProblem(null);
    startRun(draft, { key: attempt.current.key, files }).then(
      ({ id }) => {
        onStarted?.();
        navigate(runAddress(id));
      },
      (error: unknown) => {
        const refused = asProblem(error);
        setProblem(refused);
        onRefused?.(refused);
        setSending(false);
      },
    );
  };
  return { send, isSending, problem };
}

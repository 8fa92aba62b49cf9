import { type FormEvent, useRef, useState } from "react";
import { startRun } from "../../api/endpoints.ts";
import { asProblem, type Problem } from "../../api/problem.ts";
import { navigate } from "../../app/router.tsx";
import { useWords } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { askWords } from "./ask-words.ts";

export function AskView() {
  const say = useWords(askWords);
  const [problem, setProblem] = useState<Problem | null>(null);
  const key = useRef(crypto.randomUUID());
  const ask = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const question = String(new FormData(event.currentTarget).get("question") ?? "");
    try {
      const run = await startRun({ question }, { key: key.current });
      navigate(`/runs/${encodeURIComponent(run.id)}`);
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  return (
    <form onSubmit={ask}>
      <h1>{say("title")}</h1>
      <input name="question" aria-label={say("question")} required />
      <Button type="submit" kind="main">
        {say("send")}
      </Button>
      {problem !== null && <ProblemNotice problem={problem} title={say("failed")} />}
    </form>
  );
}

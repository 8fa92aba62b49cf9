import type { Connection } from "../../api/event-stream.ts";
import { useWords } from "../../i18n/language.tsx";
import { Notice, ProblemNotice } from "../../ui/notice.tsx";
import { useTime } from "../../ui/use-time.ts";
import { runWords } from "./run-words.ts";

/** Says that the page waits for the server. Nothing while all is well. */
export function ConnectionNotice({ connection }: { readonly connection: Connection }) {
  const say = useWords(runWords);
  const now = useTime(connection.kind === "waiting");
  if (connection.kind === "failed") return <ProblemNotice problem={connection.problem} />;
  if (connection.kind === "connecting" && connection.isAgain) return <Notice tone="attention" title={say("silent")} />;
  if (connection.kind !== "waiting") return null;
  const count = Math.max(1, Math.ceil((connection.retryAt - now) / 1_000));
  return (
    <Notice tone="attention">
      <p>{say("lost", { count })}</p>
    </Notice>
  );
}

import { Link, useAddress } from "../../app/router.tsx";
import { useWords } from "../../i18n/language.tsx";
import { FileReplay } from "./file-replay.tsx";
import "./replay.css";
import { replayWords } from "./replay-words.ts";
import { StoredReplay } from "./stored-replay.tsx";

/** With `?run=` a run of this server, otherwise a recording file. */
export function ReplayView() {
  const say = useWords(replayWords);
  const { query } = useAddress();
  const runId = query.get("run");
  return (
    <div className="replay stack">
      <header>
        <h1>{say("title")}</h1>
        <p className="quiet">
          {say("lead")} <Link to="/history">{say("toHistory")}</Link>
        </p>
      </header>
      {runId ? <StoredReplay key={runId} runId={runId} /> : <FileReplay />}
    </div>
  );
}

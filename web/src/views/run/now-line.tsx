import { useWords } from "../../i18n/language.tsx";
import { statusWords } from "../../ui/status-tag.tsx";
import { type Now, nowOf } from "../../view-model/now.ts";
import type { RunView } from "../../view-model/run-view.ts";
import { useNodeNames } from "./node-words.ts";
import { runWords } from "./run-words.ts";

/** One line of what the run is doing at this moment. */
export function NowLine({ view, isLive }: { readonly view: RunView; readonly isLive: boolean }) {
  const now = nowOf(view);
  const line = useNowText(now, view);
  const isWorking = isLive && (view.status === "running" || view.status === "queued");
  return (
    <p className="now" role="status" aria-live="polite">
      {isWorking && <span className="loading-mark" aria-hidden="true" />}
      <span>{line}</span>
    </p>
  );
}

function useNowText(now: Now, view: RunView): string {
  const say = useWords(runWords);
  const sayStatus = useWords(statusWords);
  const names = useNodeNames();
  const others = (count: number): string => (count > 0 ? say("others", { count }) : "");
  switch (now.kind) {
    case "queued":
    case "starting":
      return say(now.kind);
    case "waiting":
    case "ended":
      return sayStatus(view.status);
    case "tool":
      return `${say("usingTool", { tool: now.tool.tool })}${others(now.others)}`;
    case "call":
      if (now.call.state === "waiting") return say("modelWaits", { count: now.call.ahead });
      return say("nowDetail", {
        what: names.doing(now.step),
        detail: `${say(now.call.text === "" ? "modelThinks" : "modelWrites")}${others(now.others)}`,
      });
    case "node":
      return `${names.doing(now.step)}${others(now.others)}`;
  }
}

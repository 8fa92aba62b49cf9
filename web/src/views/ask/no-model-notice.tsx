import { useState } from "react";
import { Link } from "../../app/router.tsx";
import { useWords } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import { keep, readKept } from "../../ui/kept.ts";
import { Notice } from "../../ui/notice.tsx";
import { askWords } from "./ask-words.ts";

const PLACE = "dossier.no-model-seen";

const LINES = ["OPENAI_BASE_URL=http://127.0.0.1:11434/v1 OPENAI_MODEL=qwen3:8b", "OPENAI_API_KEY=sk-…"] as const;
const NAMES = ["Ollama", "OpenAI"] as const;

/** What is missing without a model, and how to connect one. */
export function NoModelNotice() {
  const say = useWords(askWords);
  const [isHidden, setHidden] = useState(() => readKept(PLACE) !== null);
  if (isHidden) return null;
  const hide = (): void => {
    keep(PLACE, "1");
    setHidden(true);
  };
  return (
    <Notice title={say("noModel")}>
      <p>{say("noModelHelp")}</p>
      <dl className="facts ask-lines">
        {LINES.map((line, index) => (
          <div key={line}>
            <dt>{NAMES[index]}</dt>
            <dd>
              <code>{line.replace(" ", "\n")}</code>
            </dd>
          </div>
        ))}
      </dl>
      <div className="row">
        <Link to="/system">{say("moreModels")}</Link>
        <Button kind="quiet" onPress={hide}>
          {say("dismiss")}
        </Button>
      </div>
    </Notice>
  );
}

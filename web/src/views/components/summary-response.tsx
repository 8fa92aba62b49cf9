import { useWords } from "../../i18n/language.tsx";
import type { ComponentProps } from "./component-props.ts";
import { componentWords } from "./component-words.ts";
import { PlainMarkdown } from "./plain-markdown.tsx";
import { firstOf, textOf, textsOf } from "./read-props.ts";

/** An answer while it is written. The report numbers its citations after checking them. */
export function SummaryResponse({ props }: ComponentProps) {
  const say = useWords(componentWords);
  const answers = (["fully", "partly", "not"] as const).find((one) => one === props["answers"]);
  return (
    <>
      <PlainMarkdown text={textOf(firstOf(props, "answer", "summary"))} />
      {answers !== undefined && (
        <p>
          <span className="tag">{say(`answers_${answers}`)}</span>
        </p>
      )}
      {textsOf(props["missing"]).map((what) => (
        <p key={what} className="quiet">
          {say("missing", { what })}
        </p>
      ))}
    </>
  );
}

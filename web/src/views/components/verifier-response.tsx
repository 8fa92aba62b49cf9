import { useWords } from "../../i18n/language.tsx";
import type { ComponentProps } from "./component-props.ts";
import { componentWords } from "./component-words.ts";
import { flagOf, listOf, propsOf, textOf } from "./read-props.ts";

/** Which todos a checker takes as answered, and why the others are not. */
export function VerifierResponse({ props }: ComponentProps) {
  const say = useWords(componentWords);
  const all = flagOf(props["allCompleted"]);
  return (
    <>
      <p className="row component-marks">
        {all !== null && <span className={all ? "tag tag-good" : "tag tag-attention"}>{say(all ? "allCompleted" : "notAll")}</span>}
      </p>
      <p className="component-text">{textOf(props["overallFeedback"])}</p>
      <ul className="bare states">
        {listOf(props["tasks"]).map((entry, index) => {
          const task = propsOf(entry);
          const completed = flagOf(task["completed"]);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list only gets more entries
            <li key={index}>
              <span className={`tag ${completed === null ? "" : completed ? "tag-good" : "tag-attention"}`}>
                {completed === null ? "…" : say(completed ? "answered" : "notAnswered")}
              </span>
              <div>
                <p>{textOf(task["id"])}</p>
                <p className="quiet component-text">{textOf(task["feedback"])}</p>
              </div>
            </li>
          );
        })}
      </ul>
    </>
  );
}

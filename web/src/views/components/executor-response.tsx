import { useWords } from "../../i18n/language.tsx";
import { StateMark } from "../../ui/state-mark.tsx";
import type { ComponentProps } from "./component-props.ts";
import { componentWords } from "./component-words.ts";
import { flagOf, textOf } from "./read-props.ts";

const ACTIONS = ["continue", "complete", "skip", "retry"] as const;

/** What a round of a todo came to, and what comes next. The line of marks is there from the start, because its fields come first. */
export function ExecutorResponse({ props }: ComponentProps) {
  const say = useWords(componentWords);
  const action = ACTIONS.find((one) => one === props["nextAction"]) ?? (flagOf(props["taskCompleted"]) === true ? "complete" : null);
  const status = textOf(props["status"]);
  const todo = textOf(props["todoId"]);
  const query = props["nextQuery"];
  // A query with kinds or dates is an object.
  const next = textOf(typeof query === "object" && query !== null && "text" in query ? query.text : query);
  return (
    <>
      <p className="row component-marks">
        {action !== null && <span className={action === "complete" ? "tag tag-good" : "tag"}>{say(`action_${action}`)}</span>}
        {status !== "" && <StateMark state={status} />}
        {todo !== "" && <span className="quiet">{say("forTodo", { id: todo })}</span>}
      </p>
      <p className="component-text">{textOf(props["summary"])}</p>
      {next !== "" && <p className="quiet">{say("next", { query: next })}</p>}
    </>
  );
}

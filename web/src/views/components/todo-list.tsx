import { useWords } from "../../i18n/language.tsx";
import type { ComponentProps } from "./component-props.ts";
import { componentWords } from "./component-words.ts";
import { firstOf, listOf, propsOf, textOf } from "./read-props.ts";
import { StatusMark } from "./status-mark.tsx";

/** Todos of a plan, or agents of a team, with their states and results. */
export function TodoList({ props }: ComponentProps) {
  const say = useWords(componentWords);
  return (
    <ul className="component-states">
      {listOf(firstOf(props, "todos", "children")).map((entry, index) => {
        const todo = propsOf(entry);
        const note = textOf(firstOf(todo, "feedback", "error", "result", "output"));
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list keeps its order
          <li key={index}>
            <StatusMark status={textOf(todo["status"])} say={say} />
            <div>
              <p>{textOf(firstOf(todo, "description", "prompt", "id"))}</p>
              {note !== "" && <p className="quiet component-text">{note}</p>}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

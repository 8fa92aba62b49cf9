import { StateMark } from "../../ui/state-mark.tsx";
import type { ComponentProps } from "./component-props.ts";
import { firstOf, listOf, propsOf, textOf } from "./read-props.ts";

/** Todos of a plan, or agents of a team, with their states and results. */
export function TodoList({ props }: ComponentProps) {
  return (
    <ul className="bare states">
      {listOf(firstOf(props, "todos", "children")).map((entry, index) => {
        const todo = propsOf(entry);
        const note = textOf(firstOf(todo, "feedback", "error", "result", "output"));
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list keeps its order
          <li key={index}>
            <StateMark state={textOf(todo["status"])} />
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

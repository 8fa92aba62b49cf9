import { useWords } from "../../i18n/language.tsx";
import type { ComponentProps } from "./component-props.ts";
import { componentWords } from "./component-words.ts";
import { firstOf, flagOf, listOf, propsOf, textOf, textsOf } from "./read-props.ts";

/** A plan while it is written, and as it was proposed. */
export function PlannerResponse({ props }: ComponentProps) {
  const say = useWords(componentWords);
  const question = textOf(props["question"]);
  const todos = listOf(props["todos"]).map(propsOf);
  const reasoning = textOf(firstOf(props, "reasoning", "summary"));
  return (
    <>
      {reasoning !== "" && <p className="component-text quiet">{reasoning}</p>}
      <ol className="component-list">
        {todos.map((todo, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries only get more, and their ids come late
          <PlannedTodo key={index} todo={todo} placeOf={(id) => placeOf(id, todos)} />
        ))}
      </ol>
      {question !== "" && <p className="component-note">{say("asks", { question })}</p>}
      {flagOf(props["needsMorePlanning"]) === true && <p className="quiet">{say("morePlanning")}</p>}
    </>
  );
}

type Todo = ReturnType<typeof propsOf>;

/** The number of a todo in the list, as it is shown; the id of one that is not there. */
function placeOf(id: string, todos: readonly Todo[]): string {
  const index = todos.findIndex((todo) => textOf(todo["id"]) === id);
  return index < 0 ? id : String(index + 1);
}

function PlannedTodo({ todo, placeOf }: { readonly todo: Todo; readonly placeOf: (id: string) => string }) {
  const say = useWords(componentWords);
  const done = textOf(todo["doneCriteria"]);
  const after = textsOf(todo["dependsOn"]);
  const facts = textsOf(todo["keyFacts"]);
  return (
    <li>
      <p>{textOf(firstOf(todo, "description", "title", "id"))}</p>
      {(done !== "" || after.length > 0 || facts.length > 0) && (
        <p className="quiet">
          {[
            done !== "" && say("done", { text: done }),
            facts.length > 0 && say("facts", { facts: facts.join(", ") }),
            after.length > 0 && say("after", { count: after.length, ids: after.map(placeOf).join(", ") }),
          ]
            .filter((part) => part !== false)
            .join(" · ")}
        </p>
      )}
    </li>
  );
}

import type { JsonValue } from "../../../../src/domain/json.ts";
import { useWords } from "../../i18n/language.tsx";
import { StateMark } from "../../ui/state-mark.tsx";
import { runWords } from "./run-words.ts";

export interface Work {
  readonly id: string;
  readonly text: string;
  readonly state: string;
  readonly note: string;
}

/** The todos of a plan or the agents of a team, each with its state. `list` comes from the run and is read leniently. */
export function WorkList({ list, kind }: { readonly list: JsonValue; readonly kind: "todos" | "agents" }) {
  const say = useWords(runWords);
  const works = readWorks(list);
  if (works.length === 0) return null;
  return (
    <section className="works">
      <h3>{say(kind)}</h3>
      <ul className="bare states">
        {works.map(({ id, text, state, note }) => (
          <li key={id}>
            <StateMark state={state} />
            <span>
              {text} {note !== "" && <span className="quiet">{note}</span>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function readWorks(list: JsonValue | null): Work[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((one) => {
    if (one === null || typeof one !== "object" || Array.isArray(one)) return [];
    const text = (field: string): string => (typeof one[field] === "string" ? one[field] : "");
    const state = text("status") || "pending";
    return [{ id: text("id"), text: text("description") || text("id"), state, note: state === "completed" ? "" : text("feedback") }];
  });
}

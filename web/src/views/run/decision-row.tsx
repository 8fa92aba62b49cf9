import { useWords } from "../../i18n/language.tsx";
import type { DecisionPart } from "../../view-model/run-view.ts";
import { stepWords } from "./step-words.ts";

/** Why the run goes on as it does, and the queries with where they went. */
export function DecisionRow({ part }: { readonly part: DecisionPart }) {
  const say = useWords(stepWords);
  const { reason, queries, toolCalls } = part;
  return (
    <div className="part">
      <p>
        <span className="tag">{say("decision")}</span> {reason}
      </p>
      {queries.length > 0 && (
        <ul className="part-queries" aria-label={say("queries")}>
          {queries.map(({ text, kinds, from, to }) => (
            <li key={`${text} ${kinds.join()} ${from} ${to}`}>
              “{text}” <span className="quiet">{kinds.length === 0 ? say("allSources") : say("toKinds", { kinds: kinds.join(", ") })}</span>
              {(from !== null || to !== null) && <span className="quiet"> {say("between", { from: from ?? "…", to: to ?? "…" })}</span>}
            </li>
          ))}
        </ul>
      )}
      {toolCalls.length > 0 && (
        <p className="quiet">
          {toolCalls.map(({ id, name }) => (
            <code key={id}>{name} </code>
          ))}
        </p>
      )}
    </div>
  );
}

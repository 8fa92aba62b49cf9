import type { PlannedQuery } from "../../../../src/domain/queries.ts";
import { formatList } from "../../i18n/format.ts";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import type { DecisionPart, RewrittenPart } from "../../view-model/part.ts";
import { useKindName } from "../source-kinds.ts";
import { stepWords } from "./step-words.ts";

/** Why the run goes on as it does, and the queries with where they went. */
export function DecisionRow({ part }: { readonly part: DecisionPart }) {
  const say = useWords(stepWords);
  const { reason, queries, toolsOffered } = part;
  return (
    <div className="part">
      {toolsOffered.length > 0 && (
        <p>
          <span className="tag">{say("decision")}</span> {reason}
        </p>
      )}
      {queries.length > 0 && <Queries queries={queries} />}
    </div>
  );
}

/** A second look with other words. */
export function RewrittenRow({ part: { queries, from } }: { readonly part: RewrittenPart }) {
  const say = useWords(stepWords);
  const { language } = useLanguage();
  return (
    <div className="part">
      <p>
        {say("rewritten", {
          from: formatList(
            from.map((query) => `“${query}”`),
            language,
          ),
        })}
      </p>
      <Queries queries={queries} />
    </div>
  );
}

function Queries({ queries }: { readonly queries: readonly PlannedQuery[] }) {
  const say = useWords(stepWords);
  const { language } = useLanguage();
  const kindName = useKindName();
  return (
    <ul className="part-queries" aria-label={say("queries")}>
      {queries.map(({ text, kinds, from, to }) => (
        <li key={`${text} ${kinds.join()} ${from} ${to}`}>
          “{text}”{" "}
          <span className="quiet">
            {kinds.length === 0 ? say("allSources") : say("toKinds", { kinds: formatList(kinds.map(kindName), language) })}
          </span>
          {(from !== null || to !== null) && <span className="quiet"> {say("between", { from: from ?? "…", to: to ?? "…" })}</span>}
        </li>
      ))}
    </ul>
  );
}

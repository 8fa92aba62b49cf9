import { useContext, useState } from "react";
import { useWords } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import { isWebAddress, OuterLink, placeOf } from "../../ui/outer-link.tsx";
import { plainTitle } from "../../ui/plain-title.ts";
import { readableAddress } from "../../ui/readable-address.ts";
import type { FoundPart, NotesPart } from "../../view-model/part.ts";
import { at } from "../../view-model/rows.ts";
import type { FoundSource } from "../../view-model/run-view.ts";
import { get } from "../../view-model/table.ts";
import { useFailureText } from "../failure-text.ts";
import { useSourceName } from "../source-names.ts";
import { ShownViewContext } from "./shown-view.ts";
import { stepWords } from "./step-words.ts";

const FIRST = 12;

/** Sources as they were found, with what became of each. */
export function FoundRow({ part }: { readonly part: FoundPart }) {
  const say = useWords(stepWords);
  const view = useContext(ShownViewContext);
  const [count, setCount] = useState(FIRST);
  const shown = part.sourceIds.slice(0, count).flatMap((id) => at(view.sources, get(view.sourceIndex, id) ?? -1) ?? []);
  const rest = part.sourceIds.length - count;
  return (
    <div className="part">
      <p>{say("sourcesFound", { count: part.count })}</p>
      <ul className="part-sources">
        {shown.map((found) => (
          <li key={found.source.id}>
            <SourceLine found={found} />
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <Button kind="quiet" onPress={() => setCount(count + 100)}>
          {say("more", { count: rest })}
        </Button>
      )}
    </div>
  );
}

function SourceLine({ found: { source, state, failure } }: { readonly found: FoundSource }) {
  const sourceName = useSourceName();
  const failureText = useFailureText();
  const say = useWords(stepWords);
  return (
    <>
      <OuterLink url={source.url}>
        <bdi>{plainTitle(source.title) || readableAddress(source.url)}</bdi>
      </OuterLink>{" "}
      <span className="quiet">{detailsOf(source, (id) => sourceName({ id, kind: "", title: id }))}</span>{" "}
      {state === "read" && <span className="tag tag-good">{say("wasRead")}</span>}
      {failure !== null && <span className="tag tag-attention">{failureText(failure.code)}</span>}
    </>
  );
}

function detailsOf({ url, publishedAt, foundBy }: FoundSource["source"], name: (id: string) => string): string {
  const details = [isWebAddress(url) ? placeOf(url) : "", publishedAt?.slice(0, 10) ?? "", name(foundBy)].filter((text) => text !== "");
  return [...new Set(details)].join(" · ");
}

export function NotesRow({ part: { sourceId, notes } }: { readonly part: NotesPart }) {
  const say = useWords(stepWords);
  const view = useContext(ShownViewContext);
  const source = at(view.sources, get(view.sourceIndex, sourceId) ?? -1)?.source;
  return <p className="part quiet">{say("notes", { count: notes, title: source?.title ?? sourceId })}</p>;
}

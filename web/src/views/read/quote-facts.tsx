import type { Place } from "../../../../src/domain/document.ts";
import { type Say, useWords } from "../../i18n/language.tsx";
import { OuterLink } from "../../ui/outer-link.tsx";
import { DocumentLink } from "./document-link.tsx";
import { readWords } from "./read-words.ts";
import { useReport } from "./report-context.ts";
import { languageOf } from "./report-text.ts";
import { type Note, originalAddress, type SourceFacts } from "./source-facts.ts";

/** Publisher, title, date and words of a quote, with the ways to its place. */
export function QuoteFacts({ number, onOpen }: { readonly number: number; readonly onOpen: () => void }) {
  const note = useReport().notes.get(number);
  if (note === undefined) return null;
  return (
    <div className="read-quote">
      <SourceLine source={note.source} />
      <Quote text={note.passage.quote} />
      <Ways note={note} onOpen={onOpen} />
    </div>
  );
}

export function Quote({ text }: { readonly text: string }) {
  return (
    <blockquote className="quoted" dir="auto" lang={languageOf(undefined, [text])}>
      {text}
    </blockquote>
  );
}

export function SourceLine({ source }: { readonly source: SourceFacts }) {
  const say = useWords(readWords);
  const { title, publisher, date, isExcerpt, retracted, place } = source;
  const byline = [publisher, place === null ? "" : sayPlace(place, say), date].filter((part) => part !== "" && part !== title);
  return (
    <p className="read-source-line">
      {retracted && <strong className="read-alarm">{say("retracted")} </strong>}
      <bdi className="read-source-title" lang={languageOf(undefined, [title])}>
        {title}
      </bdi>
      {isExcerpt && <span className="read-excerpt">{say("excerpt")}</span>}
      {byline.length > 0 && <span className="read-byline">{byline.join(" · ")}</span>}
    </p>
  );
}

function sayPlace(place: Place, say: Say<keyof typeof readWords.en>): string {
  if ("sheet" in place) return say("placeSheet", { name: place.sheet, range: place.range });
  if ("page" in place) return say("placePage", { number: place.page });
  return say(place.notes === true ? "placeNotes" : "placeSlide", { number: place.slide });
}

/** Links to the place in the document beside the report, and on the original page. */
export function Ways({ note, onOpen }: { readonly note: Note; readonly onOpen?: () => void }) {
  const say = useWords(readWords);
  const original = originalAddress(note);
  return (
    <p className="read-ways">
      <DocumentLink place={note.passage} {...(onOpen && { onClick: onOpen })}>
        {say("openHere")}
      </DocumentLink>
      {original !== null && <OuterLink url={original}>{say("openOriginal")}</OuterLink>}
    </p>
  );
}

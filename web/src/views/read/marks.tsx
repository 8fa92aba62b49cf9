import { type FocusEvent, type KeyboardEvent, type MouseEvent, memo, type PointerEvent } from "react";
import { useWords } from "../../i18n/language.tsx";
import { type CardSubject, POINT_DELAY_MS, useCard } from "./card-actions.ts";
import { DocumentLink } from "./document-link.tsx";
import { readWords } from "./read-words.ts";
import { useReport } from "./report-context.ts";
import { deviationOf } from "./support.ts";
import { supportWords } from "./support-words.ts";

/** The citation numbers of a sentence, and what deviates. */
export const Marks = memo(function Marks({ sentence }: { readonly sentence: number }) {
  const { report } = useReport();
  const claim = report.claims[sentence];
  if (claim === undefined) return null;
  const numbers = claim.citations.toSorted((a, b) => a - b);
  return (
    <span className="read-marks">
      {numbers.map((number) => (
        <CitationMark key={number} number={number} sentence={sentence} />
      ))}
      <DeviationMark sentence={sentence} />
    </span>
  );
});

function CitationMark({ number, sentence }: { readonly number: number; readonly sentence: number }) {
  const say = useWords(readWords);
  const card = useCard();
  const { notes, places } = useReport();
  const note = notes.get(number);
  if (note === undefined) return null;
  const { passage, source } = note;
  const { open } = places;
  const isOpen = open?.contentHash === passage.contentHash && open.start === passage.start && open.end === passage.end;
  const subject = { kind: "quote", number, sentence } as const;
  // A finger cannot hover: the first tap shows the card, which has the way to the document.
  const tap = (event: MouseEvent<HTMLAnchorElement>): void => {
    if ((event.nativeEvent as globalThis.PointerEvent).pointerType !== "touch") return card.leave();
    event.preventDefault();
    card.pin(event.currentTarget, subject);
  };
  // Enter opens the document, as at any link; the card with its own links must be within reach of the keyboard too.
  const press = (event: KeyboardEvent<HTMLAnchorElement>): void => {
    if (event.key !== " ") return;
    event.preventDefault();
    card.pin(event.currentTarget, subject);
  };
  return (
    <DocumentLink
      place={passage}
      className={`read-cite${isOpen ? " read-cite-open" : ""}${source.retracted ? " read-alarm" : ""}`}
      role="doc-noteref"
      aria-label={say("note", { number: String(number), title: source.title })}
      {...pointing(card, subject)}
      onClick={tap}
      onKeyDown={press}
    >
      [{number}]
    </DocumentLink>
  );
}

/** Says only what deviates. All else that a sentence stands on is in the card of its citation numbers. */
function DeviationMark({ sentence }: { readonly sentence: number }) {
  const say = useWords(supportWords);
  const card = useCard();
  const { report, isUncited, isOfOneOrigin } = useReport();
  const claim = report.claims[sentence];
  // Where no sentence cites anything, the head of the report says so in words.
  const deviation = claim === undefined || isUncited ? null : deviationOf(claim, isOfOneOrigin);
  if (deviation === null) return null;
  const subject = { kind: "support", sentence } as const;
  return (
    <button
      type="button"
      className={`read-sign read-sign-${deviation}`}
      aria-haspopup="dialog"
      {...pointing(card, subject)}
      onClick={({ currentTarget }) => card.pin(currentTarget, subject)}
    >
      {say(deviation)}
    </button>
  );
}

/** Shows the card of a mark while a pointer rests on it or the keyboard is at it. */
function pointing(card: ReturnType<typeof useCard>, subject: CardSubject) {
  return {
    onPointerEnter: ({ pointerType, currentTarget }: PointerEvent<HTMLElement>): void => {
      if (pointerType !== "touch") card.point(currentTarget, subject, POINT_DELAY_MS);
    },
    onPointerLeave: card.leave,
    onFocus: ({ currentTarget }: FocusEvent<HTMLElement>): void => {
      if (currentTarget.matches(":focus-visible")) card.point(currentTarget, subject, 0);
    },
    onBlur: card.leave,
  };
}

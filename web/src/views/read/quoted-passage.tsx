import { Fragment, useLayoutEffect, useRef, useState } from "react";
import { useWords } from "../../i18n/language.tsx";
import { markWords } from "./mark-words.ts";
import { SourceLine } from "./quote-facts.tsx";
import { readWords } from "./read-words.ts";
import { useReport } from "./report-context.ts";

/** A passage of a report of quotes: three lines before "more", the words of the question marked, and the document's name. */
export function QuotedPassage({ sentence }: { readonly sentence: number }) {
  const say = useWords(readWords);
  const { run, report, notes } = useReport();
  const text = useRef<HTMLSpanElement>(null);
  const [isCut, setCut] = useState(false);
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => {
    const own = text.current;
    if (own !== null) setCut(own.scrollHeight > own.clientHeight + 1);
  }, []);
  const claim = report.claims[sentence];
  const note = notes.get(claim?.citations.at(-1) ?? 0);
  if (claim === undefined) return null;
  return (
    <>
      <span ref={text} className={isOpen ? undefined : "read-three-lines"}>
        {markWords(claim.text, run.question).map(({ text: piece, isMarked }, index) => {
          // The pieces of one text never change.
          const key = `${index} ${isMarked}`;
          return isMarked ? <mark key={key}>{piece}</mark> : <Fragment key={key}>{piece}</Fragment>;
        })}
      </span>
      {isCut && (
        <button type="button" className="read-more" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {say(isOpen ? "less" : "more")}
        </button>
      )}
      {note !== undefined && <SourceLine source={note.source} />}
    </>
  );
}

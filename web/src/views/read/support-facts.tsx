import { supportKind } from "../../../../src/util/support-kinds.ts";
import { atBase } from "../../api/base-path.ts";
import { useWords } from "../../i18n/language.tsx";
import { sentenceAddress } from "../../ui/addresses.ts";
import { copyText } from "./copy.ts";
import { CopyButton } from "./copy-button.tsx";
import { DocumentLink } from "./document-link.tsx";
import { expressionParts } from "./expression-parts.ts";
import { Quote, SourceLine } from "./quote-facts.tsx";
import { readWords } from "./read-words.ts";
import { useReport } from "./report-context.ts";
import type { Note } from "./source-facts.ts";
import { deviationOf, sayReason } from "./support.ts";
import { supportWords } from "./support-words.ts";

interface Props {
  readonly sentence: number;
  /** Whether one of its quotes stands above already. */
  readonly isBesideQuote: boolean;
  readonly onOpen: () => void;
}

/** What a sentence stands on, in words: its kind of support, why it is not verified, its working and quotes. */
export function SupportFacts({ sentence, isBesideQuote, onOpen }: Props) {
  const say = useWords(readWords);
  const sayKind = useWords(supportWords);
  const { run, report, notes, places, isOfOneOrigin } = useReport();
  const claim = report.claims[sentence];
  if (claim === undefined) return null;
  const kind = supportKind(claim);
  const deviation = deviationOf(claim, isOfOneOrigin);
  const cited = claim.citations.flatMap((number) => notes.get(number) ?? []);
  return (
    <div className="read-support">
      <p className={`read-kind read-kind-${kind}`}>{sayKind(deviation === "contradicted" ? deviation : kind)}</p>
      <p>{claim.reason === null || kind !== "unverified" ? sayKind(`${kind}Help`) : sayReason(claim.reason, sayKind)}</p>
      {claim.reason !== null && kind === "paraphrased" && <p>{sayReason(claim.reason, sayKind)}</p>}
      {deviation === "oneSource" && <p>{sayKind("oneSourceHelp")}</p>}
      {claim.expression !== null && <Working expression={claim.expression} notes={cited} onOpen={onOpen} />}
      {claim.origins > 1 && <p className="quiet">{say("origins", { count: claim.origins })}</p>}
      {!isBesideQuote && kind !== "summary" && cited.length > 0 && <CitedQuotes notes={cited} onOpen={onOpen} />}
      {places.isStored && (
        <CopyButton label={say("copyLink")} copy={() => copyText(new URL(atBase(sentenceAddress(run.id, sentence)), location.href).href)} />
      )}
    </div>
  );
}

/** The calculation, with each operand linked to the quote that has it. */
function Working({
  expression,
  notes,
  onOpen,
}: {
  readonly expression: string;
  readonly notes: readonly Note[];
  readonly onOpen: () => void;
}) {
  const say = useWords(readWords);
  const parts = expressionParts(expression, notes);
  return (
    <p className="read-working">
      <span className="quiet">{say("working")}</span>{" "}
      {parts.map(({ text, note }, index) => {
        // The parts of one expression never change their order.
        const key = `${index} ${text}`;
        if (note === null) return <span key={key}>{text}</span>;
        return (
          <DocumentLink key={key} place={note.passage} title={note.passage.quote} onClick={onOpen}>
            {text} [{note.number}]
          </DocumentLink>
        );
      })}
    </p>
  );
}

function CitedQuotes({ notes, onOpen }: { readonly notes: readonly Note[]; readonly onOpen: () => void }) {
  return (
    <ul className="bare read-cited">
      {notes.map((note) => (
        <li key={note.number}>
          <DocumentLink place={note.passage} onClick={onOpen}>
            [{note.number}]
          </DocumentLink>
          <div>
            <Quote text={note.passage.quote} />
            <SourceLine source={note.source} />
          </div>
        </li>
      ))}
    </ul>
  );
}

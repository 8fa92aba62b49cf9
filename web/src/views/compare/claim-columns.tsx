import { type ReactNode, useState } from "react";
import type { Run } from "../../../../src/domain/run.ts";
import { supportKind } from "../../../../src/util/support-kinds.ts";
import { Link } from "../../app/router.tsx";
import { useWords } from "../../i18n/language.tsx";
import { sentenceAddress } from "../../ui/addresses.ts";
import { Button } from "../../ui/button.tsx";
import { isChecked } from "../read/support.ts";
import { supportWords } from "../read/support-words.ts";
import type { Comparison, PlacedClaim, SharedClaim } from "./compare-runs.ts";
import { compareWords } from "./compare-words.ts";
import { ownWords, type Words } from "./own-words.ts";

const FIRST = 50;

interface ClaimColumnsProps {
  readonly comparison: Comparison;
  readonly left: Run;
  readonly right: Run;
}

/** The sentences of both reports. Each leads to its place in its run. */
export function ClaimColumns({ comparison: { both, left, right }, ...runs }: ClaimColumnsProps) {
  const say = useWords(compareWords);
  return (
    <>
      <p className="quiet compare-rule">{say("rule")}</p>
      <section className="stack" aria-label={say("both")}>
        <h2>{say("sentencesBoth", { count: both.length })}</h2>
        <LongList entries={both} className="bare compare-pairs">
          {(pair) => <Pair pair={pair} left={runs.left} right={runs.right} />}
        </LongList>
      </section>
      <div className="compare-columns">
        <section className="stack" aria-label={say("onlyLeft")}>
          <h2>{say("sentencesLeft", { count: left.length })}</h2>
          <LongList entries={left} className="bare compare-list">
            {(claim) => <Sentence placed={claim} run={runs.left} />}
          </LongList>
        </section>
        <section className="stack" aria-label={say("onlyRight")}>
          <h2>{say("sentencesRight", { count: right.length })}</h2>
          <LongList entries={right} className="bare compare-list">
            {(claim) => <Sentence placed={claim} run={runs.right} />}
          </LongList>
        </section>
      </div>
    </>
  );
}

function Pair({ pair: { left, right, by }, ...runs }: { readonly pair: SharedClaim; readonly left: Run; readonly right: Run }) {
  const say = useWords(compareWords);
  return (
    <>
      <p>
        <span className={by === "words" ? "tag tag-good" : "tag tag-accent"}>{say(by)}</span>
      </p>
      <div className="compare-columns">
        <Sentence placed={left} run={runs.left} side={say("left")} other={right.claim.text} />
        <Sentence placed={right} run={runs.right} side={say("right")} other={left.claim.text} />
      </div>
    </>
  );
}

interface SentenceProps {
  readonly placed: PlacedClaim;
  readonly run: Run;
  /** The side, said where both stand one below the other. */
  readonly side?: string;
  /** The sentence of the other side, from which what differs is marked. */
  readonly other?: string;
}

function Sentence({ placed: { claim, index }, run, side, other }: SentenceProps) {
  const sayKind = useWords(supportWords);
  return (
    <p className="compare-sentence">
      {side !== undefined && <span className="compare-which quiet">{side}</span>}
      <Link to={sentenceAddress(run.id, index)}>{other === undefined ? claim.text : <Marked words={ownWords(claim.text, other)} />}</Link>{" "}
      <span className={isChecked(claim) ? "tag tag-good" : "tag"}>{sayKind(supportKind(claim))}</span>
    </p>
  );
}

function Marked({ words }: { readonly words: readonly Words[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: a sentence does not change
  return words.map(({ text, isOwn }, index) => (isOwn ? <mark key={index}>{text}</mark> : text));
}

interface LongListProps<T> {
  readonly entries: readonly T[];
  readonly className: string;
  readonly children: (entry: T) => ReactNode;
}

function LongList<T>({ entries, className, children }: LongListProps<T>) {
  const say = useWords(compareWords);
  const [count, setCount] = useState(FIRST);
  if (entries.length === 0) return <p className="quiet">{say("none")}</p>;
  return (
    <>
      <ol className={className}>
        {entries.slice(0, count).map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change
          <li key={index}>{children(entry)}</li>
        ))}
      </ol>
      {entries.length > count && (
        <Button kind="quiet" onPress={() => setCount(count + 200)}>
          {say("more", { count: entries.length - count })}
        </Button>
      )}
    </>
  );
}

import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from "react";
import { formatNumber } from "../../i18n/format.ts";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import { DocumentSearch } from "./document-search.tsx";
import { readWords } from "./read-words.ts";
import { languageOf } from "./report-text.ts";
import { cutText, firstShown, MAX_MARK, type Shown, type Span, showMore } from "./text-window.ts";

/** Closer to an end of what is shown, more is shown. */
const NEAR_PX = 1_200;

/** A text of any length with a marked range in view. Only pieces around what is looked at are in the page. */
export function DocumentText({ text, mark: wanted }: { readonly text: string; readonly mark: Span | null }) {
  const say = useWords(readWords);
  const mark = useMemo(() => markIn(text, wanted), [text, wanted]);
  const starts = useMemo(() => cutText(text, mark), [text, mark]);
  const [shown, setShown] = useState<Shown>(() => firstShown(starts, mark?.start ?? 0));
  const region = useRef<HTMLElement>(null);
  const scrolling = useScrolling(region, shown);
  const [found, setFound] = useState<Span | null>(null);
  const jump = (offset: number, to: Goal): void => {
    scrolling.goTo(to);
    setShown({ ...firstShown(starts, offset) });
  };
  const find = (match: Span | null): void => {
    setFound(match);
    if (match !== null) jump(match.start, "found");
  };
  const scroll = (): void => {
    const own = region.current;
    if (own === null) return;
    const isNearTop = own.scrollTop < NEAR_PX && shown.from > 0;
    const isNearEnd = own.scrollHeight - own.clientHeight - own.scrollTop < NEAR_PX && shown.to < starts.length;
    if (!isNearTop && !isNearEnd) return;
    scrolling.stay();
    setShown(showMore(shown, isNearTop ? "up" : "down", starts.length));
  };
  const language = useMemo(() => languageOf(undefined, [text]), [text]);
  const pieces = Array.from({ length: shown.to - shown.from }, (_, index) => shown.from + index);
  const endOf = (piece: number): number => starts[piece + 1] ?? text.length;
  return (
    <>
      <DocumentSearch text={text} onFind={find} />
      {wanted !== null && mark === null && <p className="document-note">{say("placeGone")}</p>}
      <section
        ref={region}
        className="document-text"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
        tabIndex={0}
        aria-label={say("documentText")}
        lang={language}
        dir="auto"
        onScroll={scroll}
      >
        {pieces.map((piece) => (
          <span key={piece} data-piece={piece}>
            <Piece text={text} start={starts[piece] ?? 0} end={endOf(piece)} mark={mark} found={found} />
          </span>
        ))}
      </section>
      {starts.length > pieces.length && (
        <PlaceBar text={text} start={starts[shown.from] ?? 0} end={endOf(shown.to - 1)} mark={mark} onJump={jump} />
      )}
    </>
  );
}

function markIn(text: string, wanted: Span | null): Span | null {
  if (wanted === null || wanted.end > text.length) return null;
  return { start: wanted.start, end: Math.min(wanted.end, wanted.start + MAX_MARK) };
}

interface PieceProps extends Span {
  readonly text: string;
  readonly mark: Span | null;
  readonly found: Span | null;
}

/** Characters of the text, with what of the quote and of the found words is among them. */
function Piece({ text, start, end, mark, found }: PieceProps) {
  const cuts = [mark, found].flatMap((span) => (span === null ? [] : [span.start, span.end])).filter((at) => at > start && at < end);
  if (cuts.length === 0 && !isIn(start, mark) && !isIn(start, found)) return text.slice(start, end);
  const places = [...new Set([start, ...cuts])].sort((one, other) => one - other);
  return places.map((from, index) => {
    const words = text.slice(from, places[index + 1] ?? end);
    if (!isIn(from, mark) && !isIn(from, found)) return words;
    return (
      <mark key={from} className={isIn(from, found) ? "document-found" : undefined}>
        {words}
      </mark>
    );
  });
}

function isIn(at: number, span: Span | null): boolean {
  return span !== null && span.start <= at && at < span.end;
}

type Goal = "start" | "mark" | "found" | "end";

interface Anchor {
  readonly piece: string;
  readonly top: number;
}

interface Scrolling {
  /** Where to go after the next change. */
  goTo(goal: Goal): void;
  /** Keeps what is looked at where it is, when pieces come or go above it. */
  stay(): void;
}

/** Goes to the mark at first. */
function useScrolling(region: RefObject<HTMLElement | null>, shown: Shown): Scrolling {
  const next = useRef<Goal | Anchor | null>("mark");
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other pieces move what is looked at.
  useLayoutEffect(() => {
    const own = region.current;
    const wanted = next.current;
    next.current = null;
    if (own === null || wanted === null) return;
    if (typeof wanted === "string") own.scrollTop = placeOf(wanted, own);
    else {
      const kept = own.querySelector(`[data-piece="${wanted.piece}"]`);
      if (kept !== null) own.scrollTop += topOf(kept) - wanted.top;
    }
  }, [shown, region]);
  return useMemo(() => {
    return {
      goTo: (goal) => {
        next.current = goal;
      },
      stay: () => {
        next.current = region.current === null ? null : anchorIn(region.current);
      },
    };
  }, [region]);
}

function anchorIn(region: HTMLElement): Anchor | null {
  const { top } = region.getBoundingClientRect();
  const visible = [...region.querySelectorAll("[data-piece]")].find((piece) => piece.getBoundingClientRect().bottom > top);
  return visible === undefined ? null : { piece: visible.getAttribute("data-piece") ?? "", top: topOf(visible) };
}

function topOf(piece: Element): number {
  return piece.getClientRects()[0]?.top ?? 0;
}

function placeOf(goal: Goal, region: HTMLElement): number {
  if (goal === "end") return region.scrollHeight;
  const mark = goal === "start" ? null : region.querySelector(goal === "found" ? ".document-found" : "mark:not(.document-found)");
  if (mark === null) return 0;
  return topOf(mark) - region.getBoundingClientRect().top + region.scrollTop - region.clientHeight / 3;
}

interface PlaceBarProps extends Span {
  readonly text: string;
  readonly mark: Span | null;
  readonly onJump: (offset: number, goal: Goal) => void;
}

/** Says which part of a long text is in the page, and leads to its ends and to the quote. */
function PlaceBar({ text, start, end, mark, onJump }: PlaceBarProps) {
  const say = useWords(readWords);
  const { language } = useLanguage();
  const number = (value: number): string => formatNumber(value, language);
  return (
    <div className="document-bar">
      <span>{say("ofCharacters", { from: number(start + 1), to: number(end), count: number(text.length) })}</span>
      <Button kind="quiet" onPress={() => onJump(0, "start")}>
        {say("start")}
      </Button>
      {mark !== null && (
        <Button kind="quiet" onPress={() => onJump(mark.start, "mark")}>
          {say("toQuote")}
        </Button>
      )}
      <Button kind="quiet" onPress={() => onJump(text.length, "end")}>
        {say("end")}
      </Button>
    </div>
  );
}

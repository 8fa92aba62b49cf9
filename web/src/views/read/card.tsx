import { useEffect, useId, useLayoutEffect, useMemo, useRef } from "react";
import { useOverlayPosition } from "react-aria/useOverlayPosition";
import { useWords } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import type { CardSubject } from "./card-actions.ts";
import { QuoteFacts } from "./quote-facts.tsx";
import { readWords } from "./read-words.ts";
import { SupportFacts } from "./support-facts.tsx";

interface CardProps {
  readonly anchor: HTMLElement;
  readonly subject: CardSubject;
  readonly isPinned: boolean;
  readonly onStay: () => void;
  readonly onLeave: () => void;
  readonly onClose: () => void;
}

/** What stands behind a mark, beside it. A pinned card takes the focus and gives it back. */
export function Card({ anchor, subject, isPinned, onStay, onLeave, onClose }: CardProps) {
  const say = useWords(readWords);
  const id = useId();
  const card = useRef<HTMLDivElement>(null);
  const targetRef = useMemo(() => ({ current: anchor }), [anchor]);
  const position = { placement: "bottom start", offset: 6, containerPadding: 8 } as const;
  // Scrolling does not close it: the browser may still be scrolling to the mark that was pressed.
  const { overlayProps } = useOverlayPosition({ ...position, targetRef, overlayRef: card, isOpen: true, onClose: null });
  useDismissal(card, anchor, onClose);
  useEffect(() => {
    anchor.setAttribute("aria-describedby", id);
    return () => anchor.removeAttribute("aria-describedby");
  }, [anchor, id]);
  // A layout effect, because at its end the card is still in the page and has the focus.
  useLayoutEffect(() => {
    if (!isPinned) return;
    const own = card.current;
    own?.focus({ preventScroll: true });
    return () => {
      if (own?.contains(document.activeElement)) anchor.focus({ preventScroll: true });
    };
  }, [isPinned, anchor]);
  const label = say(subject.kind === "quote" ? "quotes" : "aboutSentence");
  return (
    <div
      {...overlayProps}
      ref={card}
      id={id}
      className="read-card"
      role="dialog"
      aria-label={label}
      tabIndex={-1}
      onPointerEnter={onStay}
      onPointerLeave={onLeave}
    >
      {subject.kind === "quote" && <QuoteFacts number={subject.number} onOpen={onClose} />}
      <SupportFacts sentence={subject.sentence} isBesideQuote={subject.kind === "quote"} onOpen={onClose} />
      {isPinned && (
        <div className="read-card-close">
          <Button kind="quiet" onPress={onClose}>
            {say("closeCard")}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Closes on Escape, and on a press outside. */
function useDismissal(card: { readonly current: HTMLElement | null }, anchor: HTMLElement, onClose: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "Escape") return;
      // An open document would close as well.
      event.stopPropagation();
      event.preventDefault();
      onClose();
    };
    const onPress = ({ target }: PointerEvent): void => {
      if (target instanceof Node && !card.current?.contains(target) && !anchor.contains(target)) onClose();
    };
    document.addEventListener("keydown", onKey, true);
    document.addEventListener("pointerdown", onPress);
    return () => {
      document.removeEventListener("keydown", onKey, true);
      document.removeEventListener("pointerdown", onPress);
    };
  }, [card, anchor, onClose]);
}

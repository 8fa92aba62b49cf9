import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Card } from "./card.tsx";
import { type CardActions, CardContext, type CardSubject } from "./card-actions.ts";

const LEAVE_DELAY_MS = 250;

interface Open {
  readonly anchor: HTMLElement;
  readonly subject: CardSubject;
  readonly isPinned: boolean;
}

/** One card for all marks of a report, so that a report of hundreds of marks stays light. */
export function CardProvider({ children }: { readonly children: ReactNode }) {
  const [open, setOpen] = useState<Open | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const later = useCallback((delayMs: number, change: (before: Open | null) => Open | null): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOpen(change), delayMs);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);
  const actions = useMemo((): CardActions => {
    return {
      point: (anchor, subject, delayMs) => later(delayMs, (before) => (before?.isPinned ? before : { anchor, subject, isPinned: false })),
      leave: () => later(LEAVE_DELAY_MS, (before) => (before?.isPinned ? before : null)),
      pin: (anchor, subject) => {
        clearTimeout(timer.current);
        setOpen((before) => (before?.isPinned && before.anchor === anchor ? null : { anchor, subject, isPinned: true }));
      },
    };
  }, [later]);
  const close = useCallback((): void => {
    clearTimeout(timer.current);
    setOpen(null);
  }, []);
  const stay = useCallback((): void => clearTimeout(timer.current), []);
  return (
    <CardContext value={actions}>
      {children}
      {open !== null && <Card key={keyOf(open.subject)} {...open} onStay={stay} onLeave={actions.leave} onClose={close} />}
    </CardContext>
  );
}

function keyOf(subject: CardSubject): string {
  return `${subject.kind === "quote" ? subject.number : "support"} ${subject.sentence}`;
}

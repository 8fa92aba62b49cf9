import { createContext, useContext } from "react";

/** What a card tells about: a quote of a sentence, or the support of the sentence. */
export type CardSubject =
  | { readonly kind: "quote"; readonly number: number; readonly sentence: number }
  | { readonly kind: "support"; readonly sentence: number };

export interface CardActions {
  /** Shows the card after a moment, for a pointer that rests; `0` for the keyboard. */
  point(anchor: HTMLElement, subject: CardSubject, delayMs: number): void;
  /** Hides the card after a moment, in which the pointer may reach it. */
  leave(): void;
  /** Shows the card until it is closed. */
  pin(anchor: HTMLElement, subject: CardSubject): void;
}

export const POINT_DELAY_MS = 120;

export const CardContext = createContext<CardActions | null>(null);

export function useCard(): CardActions {
  const actions = useContext(CardContext);
  if (actions === null) throw new Error("Cards are shown within a report only.");
  return actions;
}

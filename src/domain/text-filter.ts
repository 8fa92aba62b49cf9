/** What readers are shown of a text that arrives in pieces; may hold a piece back until it knows more. */
export interface TextFilter {
  /** What may be shown now that `piece` has come. */
  push(piece: string): string;
  /** What was held back, when nothing more comes. */
  end(): string;
}

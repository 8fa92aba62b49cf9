/**
 * A text that may be cited under a short id, which is all a model is told of where it comes from. `start` and `end` bound the part
 * that was shown, in UTF-16 code units of `text`, which is the whole document that `contentHash` names.
 */
export interface Evidence {
  readonly id: string;
  readonly sourceId: string;
  /** Names in it are known; it cannot be cited. */
  readonly title?: string;
  readonly contentHash: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

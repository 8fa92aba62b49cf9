import type { KeyboardEvent } from "react";

/** The code of a key that an input method has taken. */
const TAKEN = 229;

/** Whether a key sends what was typed: Enter, but not with Shift, and not the Enter that only chooses a word of an input method. Safari sends that one after the end of the composition. */
export function isSendKey({ key, shiftKey, keyCode, nativeEvent }: KeyboardEvent): boolean {
  return key === "Enter" && !shiftKey && !nativeEvent.isComposing && keyCode !== TAKEN;
}

import { useCallback } from "react";
import { useWords } from "../i18n/language.tsx";
import { failureWords, isKnownFailure } from "./failure-words.ts";

/** Says a failure code in words. A code that is not known stays as it is. */
export function useFailureText(): (code: string | null) => string {
  const say = useWords(failureWords);
  return useCallback((code) => (code !== null && isKnownFailure(code) ? say(code) : (code ?? "")), [say]);
}

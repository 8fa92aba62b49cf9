import { useAddress } from "../../app/router.tsx";
import { useWords } from "../../i18n/language.tsx";
import { Notice } from "../../ui/notice.tsx";
import { isEnded } from "../../view-model/ended.ts";
import { toArray } from "../../view-model/rows.ts";
import type { RunView } from "../../view-model/run-view.ts";
import { runWords } from "./run-words.ts";

/** The step that an address names with `#s12`; null if it names none. */
export function stepIn(hash: string): number | null {
  const digits = /^s(\d{1,12})$/.exec(hash)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Says that the step of the address is not there, once the run can have no further ones. */
export function MissingStep({ view }: { readonly view: RunView }) {
  const say = useWords(runWords);
  const wanted = stepIn(useAddress().hash);
  if (wanted === null || !isEnded(view.status) || toArray(view.steps).some(({ id }) => id === wanted)) return null;
  return <Notice tone="attention" title={say("stepNotFound", { step: `s${wanted}` })} />;
}

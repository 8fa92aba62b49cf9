import type { CallPart, ComponentPart } from "./part.ts";
import { at, toArray } from "./rows.ts";
import type { RunView } from "./run-view.ts";
import { valuesOf } from "./table.ts";

/** The report as far as it is written: Markdown of its parts, in order. */
export interface Draft {
  readonly isChecked: boolean;
  readonly parts: readonly { readonly id: number; readonly text: string }[];
}

/** Returns what is written at this moment: all parts of a report, else the text that was begun last; null if nothing is. */
export function draftOf(view: RunView): Draft | null {
  if (view.status !== "running") return null;
  const running = valuesOf(view.openSteps)
    .flat()
    .flatMap((index) => {
      const step = at(view.steps, index);
      return step?.kind === "node" ? toArray(step.parts) : [];
    });
  const calls = running.filter((part) => part.kind === "call").filter((part) => !part.isReport && shownText(part) !== "");
  const outlined = calls.filter(({ part }) => part !== null).toSorted((a, b) => (a.part ?? 0) - (b.part ?? 0));
  if (outlined.length > 0) return { isChecked: true, parts: outlined.map((part) => ({ id: part.id, text: shownText(part) })) };
  const texts = [...calls.filter(({ state }) => state !== "ended"), ...running.filter(isAnswer)];
  const last = texts.reduce<(typeof texts)[number] | null>((best, one) => (best === null || one.id > best.id ? one : best), null);
  if (last === null) return null;
  if (last.kind === "call") return { isChecked: last.isChecked, parts: [{ id: last.id, text: shownText(last) }] };
  return { isChecked: true, parts: [{ id: 0, text: answerIn(last) }] };
}

/** A text that is written again is shown as it was until the new one has more than its heading. */
function shownText({ text, before }: CallPart): string {
  return before !== "" && !/\n\s*\n\S/.test(text) ? before : text;
}

type Answer = ComponentPart & { readonly component: "summary-response" };

function isAnswer(part: { readonly kind: string }): part is Answer {
  const { kind, component } = part as ComponentPart;
  return kind === "component" && component === "summary-response" && answerIn(part as ComponentPart) !== "";
}

function answerIn({ props }: ComponentPart): string {
  const answer = props !== null && typeof props === "object" && !Array.isArray(props) ? props["answer"] : null;
  return typeof answer === "string" ? answer : "";
}

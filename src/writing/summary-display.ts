import type { Effects } from "../domain/ports/effects.ts";
import { CitedProseFilter, type StreamContext } from "./cited-prose.ts";
import { createPropFilter, type PropFilter } from "./components/prop-text.ts";
import { ComponentDisplay } from "./components/shown-component.ts";
import { readNoAnswer } from "./no-answer.ts";
import type { TextDisplay } from "./text-role.ts";
import { SUMMARY, SUMMARY_FORMAT } from "./written-text.ts";

/** Shows the component of a summary while the model writes it: of its answer whole sections, once they are checked. */
export function createSummaryDisplay(context: StreamContext, effects: Effects): TextDisplay {
  const readText = (): PropFilter => createAnswerFilter(context);
  const place = { node: SUMMARY.stage, format: SUMMARY_FORMAT, readText, deferredKeys: ["answers", "missing"] };
  const component = new ComponentDisplay(place, effects);
  return {
    push: (piece) => component.push(piece),
    // `finish` ends the display, because a correction may replace this answer.
    end: async () => {},
    restart: (reason) => component.restart(reason),
    finish({ text, answers, missing }, last) {
      if (!last) component.restart("More sentences of the first answer are checked, so it is used.");
      const isNoAnswer = readNoAnswer(text) !== null;
      const answer = isNoAnswer ? "" : createAnswerFilter(context)(text, true, "answer").trim();
      component.end({ answer, answers: isNoAnswer ? "not" : answers, missing: [...missing] });
    },
  };
}

/** Filters `answer` with CitedProseFilter, and all other strings as in any component. */
function createAnswerFilter(context: StreamContext): PropFilter {
  const clean = createPropFilter(context.known);
  const prose = new CitedProseFilter(context);
  let read = "";
  let shown = "";
  let over = false;
  return (text, ended, key) => {
    if (key !== "answer") return clean(text, ended, key);
    if (over || !text.startsWith(read)) return shown;
    shown += prose.push(text.slice(read.length)).join("");
    read = text;
    if (ended) shown += prose.end().join("");
    over = ended;
    return shown;
  };
}

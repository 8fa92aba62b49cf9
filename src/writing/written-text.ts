import type { ChatReply } from "../domain/chat.ts";
import { SummaryResponseSchema } from "../domain/components.ts";
import type { NamedSource } from "../domain/ports/analyst.ts";
import type { Answers } from "../domain/report.ts";
import { readClosingLines } from "../evidence/closing-lines.ts";
import { fieldsOf, textOf } from "../util/json-fields.ts";
import { formatOf } from "./components/component-format.ts";
import { createPropFilter } from "./components/prop-text.ts";
import { readComponent } from "./components/read-component.ts";
import { partialProps } from "./components/shown-component.ts";
import { NO_ANSWER, readNoAnswer } from "./no-answer.ts";

export const SUMMARY = { model: "summary", stage: "summarize", component: SummaryResponseSchema } as const;
export const SUMMARY_FORMAT = formatOf(SUMMARY.component);

/** A text of a model as it was written: cited Markdown without its closing lines, and what these say. */
export interface WrittenText {
  readonly text: string;
  /** The model's whole answer, of which `text` is a part. */
  readonly whole: string;
  /** Tells the model why the text is missing or incomplete; null if it is usable. */
  readonly fault: string | null;
  readonly cutOff?: boolean;
  readonly answers: Answers | null;
  readonly missing: readonly string[];
  /** The sources that a reader of documents names. */
  readonly named?: readonly NamedSource[];
}

/**
 * Reads Markdown, or a component whose `answer` is Markdown, also if a model that was asked for the component writes none. Of one that breaks off, the
 * beginning is the text; the token limit would cut off a second one too.
 */
export function readWritten({ content, finishReason }: ChatReply, known: readonly string[], isComponent: boolean): WrittenText {
  const clean = createPropFilter(known);
  const cleaned = (lines: readonly string[]): string[] => lines.map((line) => clean(line, true, "").trim()).filter((line) => line !== "");
  if (!isComponent || !content.includes("{")) {
    const { text, answers, missing } = readClosingLines(content);
    const open = isComponent ? [readNoAnswer(text) ?? "", ...missing] : missing;
    return { text, whole: content, fault: null, answers, missing: cleaned(open) };
  }
  const reading = readComponent(content, SUMMARY_FORMAT, (text) => text, finishReason !== "stop");
  if (!reading.ok) {
    const text = reading.cut ? beginningOf(content) : "";
    const fault = text === "" || finishReason === "stop" ? reading.fault : null;
    return { text, whole: content, fault, answers: null, missing: [], cutOff: reading.cut };
  }
  const { props } = reading;
  const { text, answers, missing } = readClosingLines(props.answer);
  const said = { answers: props.answers ?? answers, missing: cleaned([...props.missing, ...missing]) };
  return { text: text === "" ? NO_ANSWER : text, whole: content, fault: null, ...said };
}

function beginningOf(content: string): string {
  return textOf(fieldsOf(partialProps(content, SUMMARY_FORMAT, (text) => text)?.props)["answer"]);
}

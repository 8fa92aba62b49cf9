import type { z } from "zod";
import { fitProps, type ReadText } from "./fit-props.ts";
import type { Form } from "./form.ts";
import { objectsIn } from "./read-json.ts";
import { type PartialValue, readPartial } from "./read-partial.ts";

/**
 * The props in a model's answer, or what is wrong with it in words for the model and for readers; `cut` says that the answer ended before its
 * object did.
 */
export type ComponentReading<Props> =
  | { readonly ok: true; readonly props: Props }
  | { readonly ok: false; readonly fault: string; readonly cut: boolean };

const CUT = "It was cut off before its end.";
const ENDLESS = "Its JSON object ended before its end.";

/**
 * The component in a text that a model wrote, in a fence or with prose around it, with its wrapping or as bare props. Nothing is read of an
 * object that does not close, unless nothing but its closing was forgotten. A text that was `cut` off is not repaired.
 */
export function readComponent<Props>(text: string, form: Form<Props>, readText: ReadText, cut: boolean): ComponentReading<Props> {
  if (text.trim() === "") return { ok: false, fault: "It is empty.", cut };
  let fault: string | null = null;
  let endless = false;
  for (const { start, values, open } of objectsIn(text, !cut)) {
    const all = open === "{" ? [...values, ...unclosed(text.slice(start), form)] : values;
    for (const value of all) {
      const bare = unwrapped({ open: value, closed: value }, form.name);
      const parsed = form.props.safeParse(fitProps(form.read, bare, readText));
      if (parsed.success) return { ok: true, props: parsed.data };
      fault ??= tellIssues(parsed.error);
    }
    endless ||= open !== null;
  }
  if (cut) return { ok: false, fault: CUT, cut };
  return { ok: false, fault: endless ? ENDLESS : (fault ?? "It is not a JSON object."), cut: endless };
}

/** The props that `text` begins with and does not close, where each of them is there as a whole, so that nothing can have followed them. */
function unclosed(text: string, { read }: Pick<Form<unknown>, "read">): readonly unknown[] {
  const closed = fieldsOf(readPartial(text.replace(/\s*```\s*$/, ""), 0)?.closed);
  return Object.keys(fieldsOf(read["properties"])).every((key) => Object.hasOwn(closed, key)) ? [closed] : [];
}

/** The props of a component that may be wrapped, in `props` or under its own name, or be the bare props. */
export function unwrapped(value: PartialValue, name: string): PartialValue {
  let bare = value;
  for (let layer = 0; layer < MAX_LAYERS; layer += 1) {
    const open = fieldsOf(bare.open);
    const key = [name, "props"].find((one) => fieldsOf(open[one]) !== NONE);
    if (key === undefined) break;
    bare = { open: open[key], closed: fieldsOf(bare.closed)[key] };
  }
  return bare;
}

const MAX_LAYERS = 3;
const NONE: Readonly<Record<string, unknown>> = {};

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, unknown>>) : NONE;
}

const MAX_ISSUES = 8;

/** What props lack that have been made to fit their form as far as they can be, by the names of the fields, in words for a model and for readers. */
function tellIssues({ issues }: z.ZodError): string {
  return issues
    .slice(0, MAX_ISSUES)
    .map((issue) => `\`${issue.path.map(String).join(".") || "props"}\` ${tellIssue(issue)}.`)
    .join(" ");
}

/** A value of another kind has been left out before, so that it is missing too. */
function tellIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") return `is missing: it must be ${KINDS[issue.expected] ?? issue.expected}`;
  if (issue.code === "invalid_value") return `is missing: it must be one of ${issue.values.map(String).join(", ")}`;
  if (issue.code === "custom") return `does not do: ${issue.message.replace(/\.$/, "")}`;
  return "has another form than the one that is asked for";
}

const KINDS: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

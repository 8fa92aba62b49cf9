import { z } from "zod";
import { fitProps, type ReadText } from "./fit-props.ts";
import type { Form } from "./form.ts";
import { objectsIn } from "./read-json.ts";
import type { PartialValue } from "./read-partial.ts";

/** The props in a model's answer, or what is wrong with it in words that the model can use. */
export type ComponentReading<Props> = { readonly ok: true; readonly props: Props } | { readonly ok: false; readonly fault: string };

const MAX_FAULT = 800;

/**
 * The component in a whole text that a model wrote, in a fence or with prose around it, with its wrapping or as bare props. A text that was `cut`
 * off is not repaired.
 */
export function readComponent<Props>(text: string, form: Form<Props>, readText: ReadText, cut: boolean): ComponentReading<Props> {
  if (text.trim() === "") return { ok: false, fault: "It is empty." };
  let fault: string | null = null;
  for (const value of objectsIn(text, !cut)) {
    const bare = unwrapped({ open: value, closed: value }, form.name);
    const parsed = form.props.safeParse(fitProps(form.read, bare, readText));
    if (parsed.success) return { ok: true, props: parsed.data };
    fault ??= z.prettifyError(parsed.error).slice(0, MAX_FAULT);
  }
  if (cut) return { ok: false, fault: "It was cut off before its end; it must be shorter." };
  return { ok: false, fault: fault ?? "It is not a JSON object." };
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

import { describe, expect, it } from "vitest";
import { COMPONENT_SCHEMAS } from "../../../src/domain/components.ts";
import type { JsonValue } from "../../../src/domain/json.ts";
import { ComponentDisplay } from "../../../src/writing/components/component-display.ts";
import {
  type ComponentSchema,
  createPropFilter,
  formatOf,
  type PropFilter,
  readComponent,
  readPartial,
} from "../../../src/writing/components/read-component.ts";
import { isExtension } from "../../helpers/is-extension.ts";
import { plainEffects } from "../../helpers/plain-effects.ts";
import { cutsOf, FORMS, SAMPLES, wrapped } from "./samples.ts";

const READ = createPropFilter(["https://example.com/known"]);

const formNamed = (name: string) =>
  formatOf(COMPONENT_SCHEMAS[name as keyof typeof COMPONENT_SCHEMAS] as unknown as ComponentSchema<unknown>);

describe.each(SAMPLES)("%s", (name, props) => {
  it.each(FORMS)("%s, cut early, never throws, only grows, and ends as the complete object", (_, write) => {
    const text = write(name, props);
    const whole = readComponent(text, formNamed(name), READ, false);
    if (!whole.ok) throw new Error(whole.fault);
    const bytes = Buffer.from(text);
    let before: JsonValue | null = null;
    const faults: string[] = [];
    for (const length of cutsOf(bytes.length + 1)) {
      // A cut character counts once its last byte has arrived.
      const part = new TextDecoder().decode(bytes.subarray(0, length), { stream: true });
      const shown = readPartial(part, name, READ);
      if (before !== null && (shown === null || !isExtension(before, shown))) faults.push(`${length} bytes show less`);
      if (shown !== null && !isExtension(shown, whole.written)) faults.push(`${length} bytes show what is not in the whole`);
      if (!JSON.stringify(shown).isWellFormed()) faults.push(`${length} bytes show half a character`);
      before = shown;
    }
    expect(faults).toEqual([]);
    expect(formNamed(name).props.parse(before)).toEqual(whole.props);
  });
});

describe("a value that more text could still change", () => {
  const form = formNamed("planner-response");
  const shownOf = (text: string, readText: PropFilter = (one) => one): JsonValue | null => readPartial(text, form.name, readText);

  it("is not shown before it is complete", () => {
    expect(shownOf('{"todos":[{"id":"1","priority":12')).toEqual({ todos: [{ id: "1" }] });
    expect(shownOf('{"todos":[{"id":"1","priority":12,')).toEqual({ todos: [{ id: "1", priority: 12 }] });
    expect(shownOf('{"needsMorePlanning":tru')).toBeNull();
    expect(shownOf('{"question":nul')).toBeNull();
  });

  it("is not shown with half a character or half an escape", () => {
    expect(shownOf('{"reasoning":"a\\')).toEqual({ reasoning: "a" });
    expect(shownOf('{"reasoning":"a\\u4e')).toEqual({ reasoning: "a" });
    expect(shownOf('{"reasoning":"a\\ud83d')).toEqual({ reasoning: "a" });
    expect(shownOf('{"reasoning":"a\\ud83d\\ude00')).toEqual({ reasoning: "a😀" });
  });

  it("never holds an unknown address outside of code", () => {
    const text = '{"reasoning":"See https://evil.test/steal?x=1 and https://example.com/known now [P9: \\"not there\\"].","todos":[]}';
    for (let length = 0; length <= text.length; length += 1)
      expect(JSON.stringify(shownOf(text.slice(0, length), READ)).replaceAll(/`[^`]+`/g, "")).not.toMatch(/evil|P9|not there/);
    expect(shownOf(text, READ)).toEqual({
      reasoning: "See `https://evil.test/steal?x=1` (not retrieved) and https://example.com/known now.",
      todos: [],
    });
  });

  it.each([
    "",
    "{",
    "[",
    '{"',
    "{{{{",
    '{"todos":[{"id":',
    "没有 JSON",
    "[".repeat(50_000),
    '{"a":'.repeat(50_000),
    '{"todos": nonsense, "x": 1e',
    '\u0000{"a\u0000',
  ])("does not throw for %.20s", (text) => {
    expect(() => shownOf(text)).not.toThrow();
    expect(() => readComponent(text, form, READ, false)).not.toThrow();
  });
});

it("is well-formed whatever the escapes, partial and complete", () => {
  const text = '{"todos":[{"description":"a\\ud83d, b\\ud83d\\ude00 \\udc00"}],"reasoning":"\\ud83d"}';
  const form = formNamed("planner-response");
  expect(readPartial(text, form.name, READ)).toEqual({ todos: [{ description: "a\ufffd, b😀 \ufffd" }], reasoning: "" });
  expect(readComponent(text, form, READ, false)).toMatchObject({ props: { todos: [{ description: "a\ufffd, b😀 \ufffd" }] } });
});

it("reads a long text a few dozen times, not once for each piece", () => {
  let read = 0;
  const place = { name: "summary-response", node: "summarize", read: (text: string) => ({ answer: "", length: text.length, at: ++read }) };
  const display = new ComponentDisplay(place, plainEffects());
  const text = wrapped("summary-response", { answer: "中国的人口。 ".repeat(14_000), answers: null, missing: [] });
  for (let at = 0; at < text.length; at += 3) display.push(text.slice(at, at + 3));
  expect(text.length).toBeGreaterThan(90_000);
  expect(read).toBeLessThan(80);
});

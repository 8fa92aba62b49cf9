import { it } from "vitest";
import { COMPONENT_SCHEMAS } from "../../src/domain/components.ts";
import { ComponentDisplay } from "../../src/writing/components/component-display.ts";
import {
  type ComponentSchema,
  createPropFilter,
  formatOf,
  readComponent,
  readPartial,
} from "../../src/writing/components/read-component.ts";
import { expectLinear } from "../helpers/expect-linear.ts";
import { plainEffects } from "../helpers/plain-effects.ts";

const READ = createPropFilter(["https://example.com/known"]);
const FORM = formatOf(COMPONENT_SCHEMAS["planner-response"] as unknown as ComponentSchema<unknown>);

it.each([
  ["nested deeply", "", '{"a":'],
  ["of open brackets", "", '{"x{'],
  ["of half citations", '{"reasoning":"', "[P1: "],
  ["of empty todos", '{"todos":[', "{},"],
  ["of objects in texts", '{"todos":[', '{"id":"'],
])("a component's text %s, in pieces, is read in linear time", (_, start, unit) => {
  expectLinear((size) => {
    const text = start + unit.repeat(size);
    const read = (part: string) => readPartial(part, FORM.name, READ);
    const display = new ComponentDisplay({ name: FORM.name, node: "plan", read }, plainEffects());
    for (let at = 0; at < text.length; at += 50) display.push(text.slice(at, at + 50));
    readComponent(text, FORM, READ, false);
  });
});

import type { COMPONENT_SCHEMAS } from "../../../domain/components.ts";
import type { JsonValue } from "../../../domain/json.ts";
import type { Effects } from "../../../domain/ports/effects.ts";

/** Shows a component as a model would, complete at once. */
export function sayComponent(effects: Effects, component: keyof typeof COMPONENT_SCHEMAS, props: JsonValue): void {
  effects.emit({ type: "component", component, props, partial: false });
}

import type { COMPONENT_SCHEMAS } from "../../../domain/components.ts";
import type { Effects } from "../../../domain/ports/effects.ts";

/** Shows a component as a model would, complete at once; what is undefined in it is left out. */
export function sayComponent(effects: Effects, component: keyof typeof COMPONENT_SCHEMAS, props: object): void {
  effects.emit({ type: "component", component, props: JSON.parse(JSON.stringify(props)), partial: false });
}

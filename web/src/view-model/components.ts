import type { RunEvent } from "../../../src/domain/events.ts";
import type { ComponentPart } from "./part.ts";
import { addPart, changePart, openKey, openPart } from "./parts.ts";
import type { RunView } from "./run-view.ts";

type Event = Extract<RunEvent, { type: "component" }>;

/** Each event of one `callId` has all props that are known so far, so the latest one counts. */
export function reduceComponent(view: RunView, event: Event): RunView {
  // What a tool shows is also in the result of its call.
  if (event.tool !== undefined) return view;
  if (event.callId === undefined) {
    const field = RUN_COMPONENTS.get(event.component);
    if (field !== undefined) return { ...view, [field]: listIn(event.props, field) };
  }
  const part = partOf(event);
  if (event.callId === undefined) return addPart(view, event, part);
  const key = openKey("component", event.path, `${event.callId} ${event.component}`);
  const open = openPart(view, key);
  if (open === null) return addPart(view, event, part, { key });
  return changePart(view, open.place, ({ id, at }) => ({ ...part, id, at }));
}

/** These say the whole state of the run's parts each time. They have one place in the page instead of many steps. */
const RUN_COMPONENTS: ReadonlyMap<string, "todos" | "children"> = new Map([
  ["todo-list", "todos"],
  ["child-list", "children"],
]);

function listIn(props: Event["props"], field: string): Event["props"] {
  return props !== null && typeof props === "object" && !Array.isArray(props) ? (props[field] ?? null) : null;
}

function partOf(event: Event): ComponentPart {
  const { seq: id, at, component, props, partial } = event;
  return { kind: "component", id, at, component, props, partial };
}

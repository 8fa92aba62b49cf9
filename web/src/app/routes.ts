import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { AskView } from "../views/ask/ask-view.tsx";
import type { ViewProps } from "./view-props.ts";

export interface Route {
  readonly pattern: string;
  readonly view: ComponentType<ViewProps> | LazyExoticComponent<ComponentType<ViewProps>>;
}

const RunView = lazy(async () => ({ default: (await import("../views/run/run-view.tsx")).RunView }));

/** Views other than the first one are loaded when they are shown. The server knows these paths too: `VIEWS` in src/http/routes/page.ts. */
export const ROUTES: readonly Route[] = [
  { pattern: "/", view: AskView },
  { pattern: "/runs/:id", view: RunView },
  { pattern: "/runs/:id/*", view: RunView },
  { pattern: "/system", view: lazy(async () => ({ default: (await import("../views/system/system-view.tsx")).SystemView })) },
  { pattern: "/history", view: lazy(async () => ({ default: (await import("../views/history/history-view.tsx")).HistoryView })) },
  { pattern: "/compare", view: lazy(async () => ({ default: (await import("../views/compare/compare-view.tsx")).CompareView })) },
  { pattern: "/replay", view: lazy(async () => ({ default: (await import("../views/replay/replay-view.tsx")).ReplayView })) },
];

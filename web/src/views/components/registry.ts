import type { ComponentType } from "react";
import type { ComponentProps } from "./component-props.ts";
import type { componentWords } from "./component-words.ts";
import { ExecutorResponse } from "./executor-response.tsx";
import { PlannerResponse } from "./planner-response.tsx";
import { SeriesChart } from "./series-chart.tsx";
import { ShownTable } from "./shown-table.tsx";
import { SourceCard } from "./source-card.tsx";
import { SummaryResponse } from "./summary-response.tsx";
import { TodoList } from "./todo-list.tsx";
import { VerifierResponse } from "./verifier-response.tsx";
import { WebComponent } from "./web-component.tsx";

export interface RegisteredComponent {
  readonly title: keyof (typeof componentWords)["en"];
  readonly view: ComponentType<ComponentProps>;
}

const chart: RegisteredComponent = { title: "chart", view: SeriesChart };

/** The components that this page can show, by the name in their events. To add one, write its file and add a line. */
export const COMPONENTS: ReadonlyMap<string, RegisteredComponent> = new Map<string, RegisteredComponent>([
  ["planner-response", { title: "planner", view: PlannerResponse }],
  ["todo-list", { title: "todos", view: TodoList }],
  ["child-list", { title: "children", view: TodoList }],
  ["executor-response", { title: "executor", view: ExecutorResponse }],
  ["verifier-response", { title: "verifier", view: VerifierResponse }],
  ["summary-response", { title: "summary", view: SummaryResponse }],
  ["table", { title: "table", view: ShownTable }],
  ["data-table", { title: "table", view: ShownTable }],
  ["chart", chart],
  ["line-chart", chart],
  ["time-series", chart],
  ["time-series-chart", chart],
  ["source-card", { title: "source", view: SourceCard }],
  ["source", { title: "source", view: SourceCard }],
  ["webcomponent", { title: "webcomponent", view: WebComponent }],
]);

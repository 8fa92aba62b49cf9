import type { ViewProps } from "../../app/routes.ts";
import { toArray } from "../../view-model/rows.ts";
import { useRun } from "./use-run.ts";

export function RunView({ params }: ViewProps) {
  const { run, view, connection } = useRun(params["id"] ?? "");
  return (
    <article>
      <h1>{run?.question}</h1>
      <p>
        {view.status} {connection.kind}
      </p>
      <ol>
        {toArray(view.steps).map((step) => (
          <li key={step.id}>{step.kind === "node" ? `${step.path} ${step.node} ${step.parts.size}` : step.what}</li>
        ))}
      </ol>
    </article>
  );
}

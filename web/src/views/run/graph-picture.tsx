import { useCallback, useMemo } from "react";
import { getGraph } from "../../api/endpoints.ts";
import { formatDuration } from "../../i18n/format.ts";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { Loading, ProblemNotice } from "../../ui/notice.tsx";
import { useResource } from "../../ui/use-resource.ts";
import type { RunView } from "../../view-model/run-view.ts";
import { get } from "../../view-model/table.ts";
import { useGraphName } from "../graph-names.ts";
import { layOut, NODE, type PlacedEdge, type PlacedNode } from "./graph-layout.ts";
import "./graph-picture.css";
import { graphWords } from "./graph-words.ts";
import { useNodeNames } from "./node-words.ts";

/** The nodes and edges of the run's graph, with the ways it took, how often each node ran and for how long. */
export function GraphPicture({ graph, view }: { readonly graph: string; readonly view: RunView }) {
  const say = useWords(graphWords);
  const graphName = useGraphName();
  const { data, problem, reload } = useResource(useCallback((signal: AbortSignal) => getGraph(graph, signal), [graph]));
  const layout = useMemo(() => (data === null ? null : layOut(data)), [data]);
  if (problem !== null) return <ProblemNotice problem={problem} onRetry={reload} />;
  if (layout === null) return <Loading />;
  const edges = layout.edges.map((edge) => ({ edge, taken: timesTaken(edge, view) }));
  return (
    <div className="graph">
      <svg
        viewBox={`0 0 ${layout.width} ${layout.height}`}
        style={{ maxInlineSize: layout.width }}
        role="img"
        aria-label={say("label", { graph: graphName(graph), nodes: pathText(view) })}
      >
        <defs>
          <marker id="graph-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto-start-reverse">
            <path d="M0 0 L8 4 L0 8 z" />
          </marker>
        </defs>
        {/* What is drawn last lies above. */}
        {edges
          .toSorted((one, other) => one.taken - other.taken)
          .map(({ edge, taken }) => (
            <path
              key={`${edge.source}>${edge.target}`}
              className={taken > 0 ? "graph-edge graph-taken" : "graph-edge"}
              d={edge.path}
              markerEnd="url(#graph-arrow)"
            />
          ))}
        {layout.nodes.map((node) => (
          <Node key={node.id} node={node} view={view} />
        ))}
      </svg>
      {layout.nodes.some(({ id }) => get(view.graph.nodes, id) !== undefined) && <p className="quiet">{say("legend")}</p>}
    </div>
  );
}

function pathText(view: RunView): string {
  return view.graph.nodes.buckets.flatMap((bucket) => [...bucket.values()].map(({ node, runs }) => `${node} ${runs}×`)).join(", ");
}

function timesTaken({ source, target }: PlacedEdge, view: RunView): number {
  const isEnd = target === "__end__" && view.endedAt !== null && view.graph.front.nodes.includes(source);
  return get(view.graph.edges, `${source}>${target}`) ?? (isEnd ? 1 : 0);
}

function Node({ node: { id, x, y }, view }: { readonly node: PlacedNode; readonly view: RunView }) {
  const say = useWords(graphWords);
  const names = useNodeNames();
  const { language } = useLanguage();
  const trace = get(view.graph.nodes, id);
  const isEdge = id.startsWith("__");
  const isRunning = (trace?.running ?? 0) > 0 && view.status === "running";
  const classes = ["graph-node", trace === undefined ? "" : "graph-visited", isRunning ? "graph-running" : ""].join(" ");
  const label = id === "__start__" ? say("start") : id === "__end__" ? say("end") : names.purpose(id);
  const ran = trace === undefined ? "" : `${trace.runs}×${trace.ms > 0 ? ` · ${formatDuration(trace.ms, language)}` : ""}`;
  return (
    <g className={classes} transform={`translate(${x} ${y})`}>
      <rect x={-NODE.width / 2} y={-NODE.height / 2} width={NODE.width} height={NODE.height} rx={isEdge ? NODE.height / 2 : 8} />
      <text textAnchor="middle" dy={ran === "" ? "0.35em" : "-0.2em"}>
        {label}
      </text>
      {ran !== "" && (
        <text textAnchor="middle" dy="1.15em" className="graph-times">
          {ran}
        </text>
      )}
    </g>
  );
}

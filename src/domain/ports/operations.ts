import { z } from "zod";
import { ToolKindSchema } from "../tool.ts";

export const GraphSummarySchema = z.object({ name: z.string(), description: z.string() });
export type GraphSummary = z.infer<typeof GraphSummarySchema>;

/** A graph as compiled: the drawing is made from it, never beside it. */
export const GraphPictureSchema = GraphSummarySchema.extend({
  nodes: z.array(z.object({ id: z.string() })),
  edges: z.array(z.object({ source: z.string(), target: z.string(), conditional: z.boolean() })),
  mermaid: z.string(),
  /** Of the graph `team`: the teams that a request may name. */
  teams: z.array(z.object({ name: z.string(), pattern: z.string(), children: z.array(z.string()) })).optional(),
});
export type GraphPicture = z.infer<typeof GraphPictureSchema>;

export const SourceStateSchema = z.object({
  id: z.string(),
  kind: z.string(),
  title: z.string(),
  configured: z.boolean(),
  needsKey: z.boolean(),
  /** When it was last tried: whether it answered. Null before the first try. */
  lastTry: z.object({ at: z.string(), reachable: z.boolean(), failure: z.string().nullable() }).nullable(),
  /** Of a server of tools: whether there is a connection now, the graphs that may use it (null: all), and what it offered last. */
  server: z
    .object({
      connected: z.boolean(),
      graphs: z.array(z.string()).nullable(),
      tools: z.array(z.object({ name: z.string(), kind: ToolKindSchema })),
      message: z.string().nullable(),
    })
    .optional(),
});
export type SourceState = z.infer<typeof SourceStateSchema>;

/** What operators and pages ask about the service rather than about a run. */
export interface Operations {
  graphs(): GraphSummary[];
  /** @throws DossierError `not_found` */
  graph(name: string): GraphPicture;
  sources(): SourceState[];
  /** Resolves when runs can be taken; throws with what is missing otherwise. */
  ready(): Promise<void>;
}

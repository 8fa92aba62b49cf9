import { z } from "zod";
import type { Tool } from "../../src/domain/ports/tools.ts";
import { ToolSourceSchema } from "../../src/domain/tool.ts";
import { DossierError } from "../../src/errors.ts";

const AnswerSchema = z.object({ text: z.string(), sources: z.array(ToolSourceSchema) });
const ArgumentsSchema = z.strictObject({ query: z.string().min(1) });

/** An optional tool that calls an HTTP server: `GET {url}/{name}?query=...` returns `{text, sources}`. */
export function httpTool(name: string, url: string, timeoutMs = 100_000): Tool<z.infer<typeof ArgumentsSchema>> {
  return {
    name,
    description: `Looks things up at ${name}.`,
    kind: "query",
    schema: ArgumentsSchema,
    timeoutMs,
    async call({ query }, { signal }) {
      const response = await fetch(`${url}/${name}?query=${encodeURIComponent(query)}`, { signal });
      if (!response.ok) throw new DossierError("tool_failed", `${name} answered ${response.status}.`);
      return AnswerSchema.parse(await response.json());
    },
  };
}

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { RequestOptions } from "@modelcontextprotocol/sdk/shared/protocol.js";
import { type ListToolsRequest, type ListToolsResult, ListToolsResultSchema } from "@modelcontextprotocol/sdk/types.js";

/** The most nodes of a schema with its references in their places. */
const MAX_NODES = 3_000;
const MAX_DEPTH = 24;
const MAX_LENGTH = 16_000;
const REFERENCE = /^#\/(?:\$defs|definitions)\/(.+)$/;

/** Whether a JSON Schema stays small when its references are put in their places: a few that name each other twice can fill the memory. */
function isBoundedSchema(schema: unknown): boolean {
  if (JSON.stringify(schema).length > MAX_LENGTH) return false;
  const definitions = new Map(["$defs", "definitions"].flatMap((key) => Object.entries(recordOf(recordOf(schema)[key]))));
  return count(schema, definitions, { left: MAX_NODES }, 0);
}

function count(value: unknown, definitions: ReadonlyMap<string, unknown>, budget: { left: number }, depth: number): boolean {
  budget.left -= 1;
  if (budget.left < 0 || depth > MAX_DEPTH) return false;
  if (typeof value !== "object" || value === null) return true;
  const reference = recordOf(value)["$ref"];
  const name = typeof reference === "string" ? REFERENCE.exec(reference)?.[1] : undefined;
  const named = name === undefined ? [] : [definitions.get(name)];
  return [...Object.values(value), ...named].every((part) => count(part, definitions, budget, depth + 1));
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** The most tools of one server that are offered, and the most pages that are asked for them. */
export const MAX_TOOLS = 64;
const MAX_PAGES = 8;

/** A client whose lists have an end, whatever the server says. */
export class BoundedClient extends Client {
  #listed = 0;
  #pages = 0;
  #options: RequestOptions | undefined;

  /** Before a list is asked for from its beginning. */
  begin(options: RequestOptions): void {
    this.#listed = 0;
    this.#pages = 0;
    this.#options = options;
  }

  /** As many tools as there is room for; one whose schema would grow beyond all bounds is offered without it. */
  override async listTools(params?: ListToolsRequest["params"], options?: RequestOptions): Promise<ListToolsResult> {
    // Not the client's own way, which compiles the schemas of results: what is wrong in one of them would hide all tools.
    const page = await this.request({ method: "tools/list", ...(params && { params }) }, ListToolsResultSchema, options ?? this.#options);
    const callable = page.tools.filter(({ execution }) => execution?.taskSupport !== "required");
    const tools = callable.slice(0, MAX_TOOLS - this.#listed).map((tool): ListToolsResult["tools"][number] => {
      const { outputSchema: _, ...rest } = tool;
      return isBoundedSchema(tool.inputSchema) ? rest : { ...rest, inputSchema: { type: "object" } };
    });
    this.#listed += tools.length;
    this.#pages += 1;
    const { nextCursor, ...last } = page;
    const ended = nextCursor === undefined || this.#listed >= MAX_TOOLS || this.#pages >= MAX_PAGES;
    return { ...last, tools, ...(!ended && { nextCursor }) };
  }
}

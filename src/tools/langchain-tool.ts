import { toJsonSchema } from "@langchain/core/utils/json_schema";
import { z } from "zod";
import type { Tool, ToolContext } from "../domain/ports/tools.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { fieldsOf, isFields } from "../util/json-fields.ts";

/** What `tool(...)`, `DynamicTool`, `DynamicStructuredTool` and all other tools of LangChain have. */
interface LangChainTool {
  readonly name: string;
  readonly description: string;
  readonly schema: unknown;
  invoke(call: never, config: { readonly signal: AbortSignal; readonly metadata: Record<string, unknown> }): Promise<unknown>;
}

export interface LangChainToolOptions {
  /** `query` only reads: equal calls are answered from one result, which reports can cite. `mutation` changes something. */
  readonly kind: "query" | "mutation";
  /** Whether the user must agree to each call. Default: a mutation needs it. */
  readonly confirm?: boolean;
  /** Default: 30 seconds. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 30_000;
const MAX_CHARACTERS = 100_000;
/** Stands before the name of the tool in the addresses of its results. */
const SERVER = "langchain:";
const SHOWN: ReadonlySet<unknown> = new Set(["text", "json", "component", "webcomponent"]);

/** Makes a LangChain tool callable by models of Dossier. @throws DossierError `config_invalid` if its parameters cannot be checked */
export function fromLangChainTool(tool: LangChainTool, options: LangChainToolOptions): Tool {
  const { kind, confirm = kind === "mutation", timeoutMs = TIMEOUT_MS } = options;
  const { name, description } = tool;
  return {
    ...{ name, description, kind, confirm, timeoutMs, answersInText: true, schema: schemaOf(tool) },
    async call(args, context) {
      const message = await invoke(tool, args, context);
      // Loaded on first use, because the library of the Model Context Protocol is large.
      const { AnswerSchema, readResult } = await import("./mcp/read-result.ts");
      const answer = AnswerSchema.parse(answerOf(message));
      return readResult(answer, { offered: { server: SERVER, tool: name, kind }, args, maxCharacters: MAX_CHARACTERS });
    },
  };
}

function schemaOf({ name, schema }: LangChainTool): z.ZodType {
  try {
    return z.fromJSONSchema(toJsonSchema(schema as never) as Parameters<typeof z.fromJSONSchema>[0]);
  } catch (cause) {
    const message = `The parameters of the LangChain tool ${name} cannot be checked: ${toDossierError(cause).message}. Nothing was started.`;
    throw new DossierError("config_invalid", message, { cause });
  }
}

/** Called as a model would call it, a tool returns its artifact too. */
async function invoke(tool: LangChainTool, args: unknown, { signal, runId, metadata }: ToolContext): Promise<unknown> {
  const call = { type: "tool_call", id: `${runId}/${tool.name}`, name: tool.name, args: { ...fieldsOf(args) } };
  return tool.invoke(call as never, { signal, metadata: { ...metadata } });
}

/** Writes the message of a LangChain tool as the answer of an MCP tool, which has the same parts. */
function answerOf(message: unknown): object {
  const { content, artifact, status } = fieldsOf(message);
  const blocks = Array.isArray(content) ? content.map(blockOf) : [blockOf(content ?? message)];
  const structured = isFields(artifact) ? artifact : { artifact };
  return { content: blocks, ...(artifact != null && { structuredContent: structured }), isError: status === "error" };
}

/** Images, files and the like are not for a text model. */
function blockOf(part: unknown): object {
  const { type } = fieldsOf(part);
  if (isFields(part) && SHOWN.has(type)) return part;
  const text = typeof type === "string" ? `(${type}, not shown)` : JSON.stringify(part);
  return { type: "text", text: typeof part === "string" ? part : text };
}

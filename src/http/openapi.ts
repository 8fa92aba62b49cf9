import { fastifySwagger } from "@fastify/swagger";
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from "fastify-type-provider-zod";
import type { z } from "zod";
import type { HttpApp } from "./http-app.ts";

type Node = Record<string, unknown>;

const COMPONENT = "#/components/schemas/";

const RECURSION = /^#\/components\/schemas\/.*schema\d+$/;

const TAGS = [
  { name: "research", description: "Start, follow, answer, read and delete runs." },
  { name: "threads", description: "The documents and addresses that users give to a thread." },
  { name: "service", description: "The state of the service, its graphs and its sources." },
];

/** How a request says whose it is. A browser has a cookie after `POST /session`. */
const KEYS = {
  bearer: { type: "http", scheme: "bearer" },
  apiKey: { type: "apiKey", in: "header", name: "X-API-Key" },
} as const;

export async function registerOpenApi(app: HttpApp, version: string, basePath: string): Promise<void> {
  const zodToJsonConfig = { override: adjustSchema };
  const addComponents = createJsonSchemaTransformObject({ zodToJsonConfig });
  const transform = createJsonSchemaTransform({ zodToJsonConfig });
  await app.register(fastifySwagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Dossier",
        version,
        description:
          "Answers questions with reports. Each citation names the exact characters of a document. Errors are RFC 9457 problems.",
      },
      tags: TAGS,
      components: { securitySchemes: KEYS },
      // The last one is for services without keys.
      security: [...Object.keys(KEYS).map((name) => ({ [name]: [] })), {}],
      ...(basePath !== "" && { servers: [{ url: basePath }] }),
    },
    transform(input) {
      const transformed = transform(input);
      return input.route.config?.scope === "none" ? { ...transformed, schema: { ...transformed.schema, security: [] } } : transformed;
    },
    transformObject: (document) => addUploads(keepUsedSchemas(addComponents(document) as Node)) as ReturnType<typeof addComponents>,
  });
}

/** Responses may gain fields, so only strict objects forbid unknown fields. */
function adjustSchema({ zodSchema, jsonSchema }: { zodSchema: { _zod: { def: unknown } }; jsonSchema: Node }): void {
  const def = zodSchema._zod.def as { type: string; catchall?: z.ZodType };
  if (def.type === "object" && def.catchall === undefined) delete jsonSchema["additionalProperties"];
  if (def.type === "undefined") jsonSchema["type"] = "null";
}

/** The operations that also accept files. */
const UPLOADS: readonly unknown[] = ["startResearch", "estimateResearch", "addThreadDocuments"];
const FILES = {
  type: "array",
  items: { type: "string", format: "binary" },
  description: "PDF, DOCX, XLSX, PPTX, HTML, Markdown, CSV or plain text.",
};

function addUploads(document: Node): Node {
  const paths = document["paths"] as Record<string, Record<string, Node>>;
  for (const { operationId, requestBody } of Object.values(paths).flatMap((path) => Object.values(path)) as Node[]) {
    if (!UPLOADS.includes(operationId)) continue;
    const { content } = requestBody as { content: Record<string, { schema: unknown }> };
    const properties = { request: content["application/json"]?.schema, documents: FILES };
    content["multipart/form-data"] = { schema: { type: "object", properties } };
  }
  return document;
}

function keepUsedSchemas(document: Node): Node {
  const named = renameRecursion(document) as Node;
  const components = named["components"] as { schemas: Record<string, unknown> };
  const schemas: Record<string, unknown> = { ...components.schemas, Json: { description: "Any JSON value." } };
  const used = new Set(referencesIn(named["paths"]));
  for (const name of used) for (const inner of referencesIn(schemas[name])) used.add(inner);
  const kept = Object.entries(schemas).filter(([name]) => used.has(name));
  return { ...named, components: { ...components, schemas: Object.fromEntries(kept) } };
}

function renameRecursion(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renameRecursion);
  if (typeof value !== "object" || value === null) return value;
  const ref = (value as Node)["$ref"];
  if (typeof ref === "string" && RECURSION.test(ref)) return { $ref: `${COMPONENT}Json` };
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, renameRecursion(inner)]));
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const ref = (value as Node)["$ref"];
  const own = typeof ref === "string" && ref.startsWith(COMPONENT) ? [ref.slice(COMPONENT.length)] : [];
  return [...own, ...Object.values(value).flatMap(referencesIn)];
}

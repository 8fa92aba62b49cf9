import { pino } from "pino";
import { beforeAll, describe, expect, it } from "vitest";
import { EVENT_TYPES } from "../../src/domain/events.ts";
import { buildApp } from "../../src/http/build-app.ts";
import { createReportFiles } from "../../src/reports/report-files.ts";
import { FakeRunService } from "../fakes/fake-run-service.ts";
import { openMemoryTenancy } from "../helpers/memory-tenancy.ts";
import { noThreads, quietOperations } from "./app-under-test.ts";

// biome-ignore lint/suspicious/noExplicitAny: a parsed JSON document
type Node = Record<string, any>;

let document: Node;

beforeAll(async () => {
  const app = await buildApp({
    runs: new FakeRunService(),
    threads: noThreads,
    operations: quietOperations,
    tenancy: await openMemoryTenancy(),
    reports: createReportFiles({ program: "dossier 1.2.3" }),
    logger: pino({ level: "silent" }),
    version: "1.2.3",
  });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  document = (await (await fetch(`${url}/openapi.json`)).json()) as Node;
  await app.close();
});

function everyNode(value: unknown): Node[] {
  if (typeof value !== "object" || value === null) return [];
  return [value as Node, ...Object.values(value).flatMap(everyNode)];
}

const operations = (): [string, Node][] =>
  Object.entries<Node>(document["paths"]).flatMap(([path, item]) =>
    Object.entries<Node>(item).map(([method, operation]): [string, Node] => [`${method.toUpperCase()} ${path}`, operation]),
  );

describe("the OpenAPI document", () => {
  it("lists the answer 504 of a report file that takes too long to make", () => {
    const responses = Object.fromEntries(operations().map(([name, { responses: all }]) => [name, Object.keys(all)]));
    expect(responses["GET /research/{id}/report"]).toContain("504");
  });

  it("describes blocks, kinds of support and drafts", () => {
    const { schemas } = document["components"];
    expect(schemas.Report.properties.blocks.items).toEqual({ $ref: "#/components/schemas/Block" });
    expect(schemas.Block.oneOf.map((one: Node) => one["properties"].kind.const)).toEqual([
      "heading",
      "paragraph",
      "list",
      "numbered-list",
      "code",
      "table",
    ]);
    expect(Object.keys(schemas.Claim.properties)).toEqual(expect.arrayContaining(["support", "supported", "reason", "expression"]));
    expect(Object.keys(schemas.Report.properties)).toEqual(expect.arrayContaining(["answers", "missing", "struck"]));
    expect(schemas.ContentEvent.properties.draft).toMatchObject({ type: "boolean", const: true });
    expect(schemas.ContentEvent.required).not.toContain("draft");
    expect(schemas.ResearchInput.properties.timeZone).toMatchObject({ type: "string" });
  });

  it("is of version 3.1 and has every route of the API", () => {
    expect(document["openapi"]).toBe("3.1.0");
    expect(document["info"]).toMatchObject({ title: "Dossier", version: "1.2.3" });
    expect(operations().map(([name]) => name)).toEqual([
      "POST /research",
      "GET /research",
      "POST /research/estimate",
      "POST /threads/{threadId}/documents",
      "GET /threads/{threadId}/documents",
      "GET /research/{id}",
      "PATCH /research/{id}",
      "DELETE /research/{id}",
      "POST /research/{id}/cancel",
      "POST /research/{id}/answer",
      "POST /research/{id}/fork",
      "GET /research/{id}/events",
      "GET /threads/{threadId}",
      "PATCH /threads/{threadId}",
      "GET /threads/{threadId}/documents/{contentHash}",
      "DELETE /threads/{threadId}/documents/{contentHash}",
      "DELETE /threads/{threadId}/urls/{sourceId}",
      "GET /research/{id}/report",
      "GET /research/{id}/documents/{contentHash}",
      "GET /research/{id}/documents/{contentHash}/original",
      "GET /research/{id}/recording",
      "GET /research/{id}/bundle",
      "POST /research/{id}/share-links",
      "GET /research/{id}/share-links",
      "DELETE /research/{id}/share-links/{linkId}",
      "GET /shared/{secret}",
      "GET /graphs",
      "GET /graphs/{name}",
      "GET /models",
      "GET /models/offered",
      "GET /sources",
      "GET /corpus",
      "GET /limits",
      "GET /openapi.json",
      "GET /healthz",
      "GET /readyz",
      "GET /workers",
      "GET /metrics",
      "POST /session",
      "GET /session",
      "DELETE /session",
      "POST /webhooks",
      "GET /webhooks",
      "DELETE /webhooks/{webhookId}",
      "GET /webhooks/{webhookId}/deliveries",
      "GET /tenant/export",
      "DELETE /tenant",
      "GET /tenant/settings",
      "PUT /tenant/models/{name}",
      "DELETE /tenant/models/{name}",
      "PUT /tenant/mcp-servers/{name}",
      "DELETE /tenant/mcp-servers/{name}",
      "PUT /tenant/prompts/{name}",
      "DELETE /tenant/prompts/{name}",
    ]);
  });

  it("has no dangling reference and no unused component", () => {
    const references = everyNode(document).flatMap(({ $ref }) => (typeof $ref === "string" ? [$ref] : []));
    const components = Object.keys(document["components"].schemas).map((name) => `#/components/schemas/${name}`);
    expect(new Set(references)).toEqual(new Set(components));
  });

  it("describes each operation by one id, a summary, a tag and its problems", () => {
    const ids = operations().map(([, operation]) => operation["operationId"]);
    expect(new Set(ids).size).toBe(54);
    for (const [, operation] of operations()) {
      expect(operation).toMatchObject({ operationId: expect.any(String), summary: expect.any(String), tags: [expect.any(String)] });
      expect(operation["responses"]).toMatchObject({
        403: { content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } } },
        500: { content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } } },
      });
      const names = (operation["parameters"] ?? []).map((parameter: Node) => `${parameter["in"]} ${parameter["name"]}`);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it("describes files beside the request where they are accepted", () => {
    for (const path of ["/research", "/research/estimate", "/threads/{threadId}/documents"]) {
      const { content } = document["paths"][path].post.requestBody;
      const { schema } = content["multipart/form-data"];
      expect(schema.properties.request).toEqual(content["application/json"].schema);
      expect(schema.properties.documents).toMatchObject({ type: "array", items: { format: "binary" } });
    }
  });

  it("describes request bodies: required, closed to unknown fields, with limits", () => {
    const research = document["components"].schemas["ResearchInput"];
    expect(research).toMatchObject({ type: "object", required: ["question"], additionalProperties: false });
    expect(research.properties).toMatchObject({
      question: { type: "string", maxLength: 8000, description: expect.stringContaining("8,000 characters") },
      graph: { default: "executor" },
      limits: { additionalProperties: false },
      messages: { type: "array", maxItems: 100, description: expect.stringContaining("oldest first") },
      metadata: { additionalProperties: { $ref: "#/components/schemas/Json" } },
    });
    const list = document["paths"]["/research"].get.parameters;
    expect(list).toContainEqual(
      expect.objectContaining({ in: "query", name: "limit", schema: { type: "integer", minimum: 1, maximum: 100, default: 20 } }),
    );
    const start = document["paths"]["/research"].post.parameters.map(({ name }: Node) => name);
    expect(start).toEqual(["prefer", "accept", "idempotency-key", "last-event-id"]);
  });

  it("describes answers: open to new fields, with media types", () => {
    const { Run } = document["components"].schemas;
    expect(Run.required).toContain("termination");
    expect(Run.additionalProperties).toBeUndefined();
    expect(Run.properties).toMatchObject({
      usage: { $ref: "#/components/schemas/Usage" },
      pending: { items: { $ref: "#/components/schemas/Pending" } },
    });
    const answers = document["paths"]["/research/{id}/report"].get.responses["200"].content;
    expect(Object.keys(answers)).toEqual([
      "text/markdown",
      "application/json",
      "text/html",
      "application/pdf",
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      "application/x-bibtex",
    ]);
    expect(document["paths"]["/research/{id}"].delete.responses["204"]).toEqual({ description: "The run was deleted." });
  });

  it("has a component for each type of event", () => {
    const stream = document["paths"]["/research/{id}/events"].get.responses["200"].content["text/event-stream"];
    expect(stream).toEqual({ schema: { $ref: "#/components/schemas/RunEvent" } });
    const { schemas } = document["components"];
    const types = schemas["RunEvent"].anyOf.map(({ $ref }: Node) => schemas[$ref.split("/").at(-1)].properties.type);
    expect(types.map((type: Node) => type["const"] ?? type["enum"][0])).toEqual(EVENT_TYPES);
    expect(schemas["RunEndedEvent"].required).toEqual(["type", "status", "termination", "seq", "runId", "at", "path"]);
  });
});

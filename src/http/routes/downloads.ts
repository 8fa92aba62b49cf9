import { createHash } from "node:crypto";
import type { FastifyReply } from "fastify";
import { z } from "zod";
import { BundleSchema } from "../../domain/bundle.ts";
import type { FileFormat, ReportedRun } from "../../domain/ports/reports.ts";
import { ReportSchema } from "../../domain/report.ts";
import type { Run } from "../../domain/run.ts";
import { DossierError } from "../../errors.ts";
import { dispositionOf, namesTag, preferredType } from "../headers.ts";
import { type HttpApp, tenantOf } from "../http-app.ts";
import { DocumentParamsSchema, nothing, problems, RunParamsSchema, raw } from "../schemas.ts";
import type { HttpServices } from "../services.ts";
import { sendDownload } from "../streaming.ts";

const FORMATS = ["md", "json", "html", "pdf", "docx", "bib"] as const;
type Format = (typeof FORMATS)[number];

/** In the order in which a wildcard of `Accept` chooses among them. */
const MEDIA_TYPES = {
  md: "text/markdown",
  json: "application/json",
  html: "text/html",
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  bib: "application/x-bibtex",
} as const satisfies Record<Format, string>;

const OFFERS = [MEDIA_TYPES.md, MEDIA_TYPES.json, MEDIA_TYPES.html, MEDIA_TYPES.pdf, MEDIA_TYPES.docx, MEDIA_TYPES.bib] as const;

/** What browsers can show they show; the others they keep. */
const KEPT: readonly Format[] = ["docx", "bib"];

const QuerySchema = z.strictObject({
  format: z
    .enum(FORMATS, `must be one of the formats served here: ${FORMATS.join(", ")}`)
    .optional()
    .describe("Wins over `Accept`."),
});

const binary = { schema: z.string().meta({ format: "binary" }) };

/** The report of a run, as a file in one of several formats or as data. */
export function registerReportRoutes(app: HttpApp, { runs, reports, connections, version }: HttpServices): void {
  app.route({
    method: "GET",
    url: "/research/:id/report",
    schema: {
      tags: ["research"],
      operationId: "getReport",
      summary: "Read the report of a run",
      params: RunParamsSchema,
      querystring: QuerySchema,
      headers: z.looseObject({ "if-none-match": z.string().optional() }),
      response: {
        200: {
          description: "The report.",
          content: {
            [MEDIA_TYPES.md]: { schema: z.string() },
            [MEDIA_TYPES.json]: { schema: ReportSchema },
            [MEDIA_TYPES.html]: { schema: z.string() },
            [MEDIA_TYPES.pdf]: binary,
            [MEDIA_TYPES.docx]: binary,
            [MEDIA_TYPES.bib]: { schema: z.string() },
          },
        },
        304: nothing("The report you have is the report."),
        ...problems(400, 404, 406, 409, 503),
      },
    },
    handler: async (request, reply) => {
      const format = request.query.format ?? acceptedFormat(request.headers.accept);
      reply.header("vary", "Origin, Accept");
      const run = reported(await runs.get(tenantOf(request), request.params.id));
      const tag = tagOf(run, format, version);
      const known = { etag: `"${tag}"`, "cache-control": "private, no-cache" };
      if (namesTag(request.headers["if-none-match"], tag)) return reply.headers(known).code(304).send();
      if (format === "json") return reply.headers(known).send(run.report);
      const bytes = await reports.render(run, format, connections.signalOf(reply));
      if (format === "html") reply.header("content-security-policy", `${reports.htmlPolicy}; frame-ancestors 'none'`);
      return sendFile(reply.headers(known), run, format, bytes);
    },
  });
}

function sendFile(reply: FastifyReply, { id, question }: Run, format: FileFormat, bytes: Uint8Array): FastifyReply {
  const charset = format === "pdf" || format === "docx" ? "" : "; charset=utf-8";
  const kind = KEPT.includes(format) ? "attachment" : "inline";
  reply.header("content-disposition", dispositionOf(kind, question, `report-${id.replace(/[^A-Za-z0-9_-]/g, "-")}`, format));
  return reply.type(`${MEDIA_TYPES[format]}${charset}`).send(Buffer.from(bytes));
}

function acceptedFormat(accept: string | undefined): Format {
  const type = preferredType(accept, OFFERS);
  const format = FORMATS.find((candidate) => MEDIA_TYPES[candidate] === type);
  if (format === undefined) throw new DossierError("not_acceptable", `The report can be had as ${OFFERS.join(", ")}.`);
  return format;
}

/** A run with a report does not change, so that its files need not be made to be named. */
function tagOf(run: ReportedRun, format: Format, version: string): string {
  return createHash("sha256")
    .update(JSON.stringify([version, format, run]))
    .digest("hex")
    .slice(0, 32);
}

function reported(run: Run): ReportedRun {
  const { report, status } = run;
  if (report === null) throw new DossierError("no_report", `The run is ${status} and has no report.`);
  return { ...run, report };
}

/** A text is named by its hash, so it never changes; it is a tenant's own, so no shared cache may keep it. */
const FOREVER = "private, max-age=31536000, immutable";

/** The texts that citations point into. */
export function registerDocumentRoutes(app: HttpApp, { runs }: HttpServices): void {
  app.route({
    method: "GET",
    url: "/research/:id/documents/:contentHash",
    schema: {
      tags: ["research"],
      operationId: "getDocument",
      summary: "Read a text that citations point into, to the byte",
      params: DocumentParamsSchema,
      headers: z.looseObject({ "if-none-match": z.string().optional() }),
      response: { 200: raw("The text.", "text/plain"), 304: nothing("The text you have is the text."), ...problems(404) },
    },
    handler: async (request, reply) => {
      const { id, contentHash } = request.params;
      const { text } = await runs.document(tenantOf(request), id, contentHash);
      reply.headers({ etag: `"${contentHash}"`, "cache-control": FOREVER });
      if (namesTag(request.headers["if-none-match"], contentHash)) return reply.code(304).send();
      // As text: a Buffer would be the same bytes, and a string passes Fastify without a serializer as well.
      return reply.type("text/plain; charset=utf-8").send(text);
    },
  });
}

/** The recording of a run, by which it can be replayed. */
export function registerRecordingRoutes(app: HttpApp, services: HttpServices): void {
  app.route({
    method: "GET",
    url: "/research/:id/recording",
    schema: {
      tags: ["research"],
      operationId: "getRecording",
      summary: "Download the recording of a run",
      params: RunParamsSchema,
      response: { 200: raw("JSON lines.", "application/x-ndjson"), ...problems(404, 409) },
    },
    handler: async (request, reply) => {
      const { id } = request.params;
      const pieces = services.runs.recording(tenantOf(request), id);
      await sendDownload(request, reply, services, { mediaType: "application/x-ndjson", filename: `${id}.ndjson`, pieces });
      return reply;
    },
  });
}

/** The evidence bundle of a run, by which its report can be checked without this server. */
export function registerBundleRoutes(app: HttpApp, services: HttpServices): void {
  app.route({
    method: "GET",
    url: "/research/:id/bundle",
    schema: {
      tags: ["research"],
      operationId: "getBundle",
      summary: "Download the evidence bundle of a run",
      params: RunParamsSchema,
      response: { 200: raw("Report, cited texts, log and digests.", "application/json", BundleSchema), ...problems(404, 409) },
    },
    handler: async (request, reply) => {
      const { id } = request.params;
      const pieces = services.runs.bundle(tenantOf(request), id);
      await sendDownload(request, reply, services, { mediaType: "application/json", filename: `${id}.bundle.json`, pieces });
      return reply;
    },
  });
}

import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { BundleSchema } from "../../domain/bundle.ts";
import type { FileFormat, ReportedRun } from "../../domain/ports/run-service.ts";
import { ReportSchema } from "../../domain/report.ts";
import type { Run } from "../../domain/run.ts";
import { UPLOAD_TYPES } from "../../domain/upload.ts";
import { DossierError } from "../../errors.ts";
import { dispositionOf, matchesTag } from "../headers.ts";
import { type HttpApp, type HttpServices, tenantOf } from "../http-app.ts";
import { DocumentParamsSchema, emptyResponse, problems, RunParamsSchema, responseOf } from "../schemas.ts";
import { sendDownload } from "../streaming.ts";

export function registerDownloadRoutes(app: HttpApp, services: HttpServices): void {
  registerReport(app, services);
  registerDocuments(app, services);
  registerOriginals(app, services);
  registerStreams(app, services);
}

/** The order matters: a wildcard in `Accept` selects the first format that it matches. */
const MEDIA_TYPES = {
  md: "text/markdown",
  json: "application/json",
  html: "text/html",
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  bib: "application/x-bibtex",
} as const;
type Format = keyof typeof MEDIA_TYPES;
const FORMATS = Object.keys(MEDIA_TYPES) as [Format, ...Format[]];

const ATTACHED: readonly Format[] = ["docx", "bib"];

export const ReportQuerySchema = z.strictObject({
  format: z
    .enum(FORMATS, `must be one of the formats served here: ${FORMATS.join(", ")}`)
    .optional()
    .describe("The format of the report. It overrides `Accept`."),
  fragment: z
    .enum(["0", "1"], "must be 0 or 1")
    .default("0")
    .describe("With `format=html`, `1` gives the content alone, for pasting into other programs: without a page, styles and links within."),
  appendix: z
    .enum(["0", "1"], "must be 0 or 1")
    .default("1")
    .describe("`0` leaves out where it looked, sentences left out, places of the quotes and receipt. JSON always has all fields."),
});

export const ReportHeadersSchema = z.looseObject({ "if-none-match": z.string().optional() });

const text = { schema: z.string() };
const binary = { schema: z.string().meta({ format: "binary" }) };

export const REPORT_RESPONSES = {
  200: {
    description: "The report.",
    content: {
      [MEDIA_TYPES.md]: text,
      [MEDIA_TYPES.json]: { schema: ReportSchema },
      [MEDIA_TYPES.html]: text,
      [MEDIA_TYPES.pdf]: binary,
      [MEDIA_TYPES.docx]: binary,
      [MEDIA_TYPES.bib]: text,
    },
  },
  304: emptyResponse("The report has not changed since the request that returned this ETag."),
  ...problems(400, 404, 406, 409, 429, 503, 504),
};

function registerReport(app: HttpApp, services: HttpServices): void {
  const { runs, connections, exportTurn } = services;
  app.route({
    method: "GET",
    url: "/research/:id/report",
    schema: {
      tags: ["research"],
      operationId: "getReport",
      summary: "Read the report of a run",
      params: RunParamsSchema,
      querystring: ReportQuerySchema,
      headers: ReportHeadersSchema,
      response: REPORT_RESPONSES,
    },
    preHandler: (_request, reply) => exportTurn(connections.signalOf(reply)),
    handler: async (request, reply) => answerReport(request, reply, services, await runs.get(tenantOf(request), request.params.id)),
  });
}

/** Answers with the report of a run in the format that is asked for. @throws DossierError `no_report`, `not_acceptable` */
export async function answerReport(
  request: FastifyRequest,
  reply: FastifyReply,
  { reports, connections, version }: Pick<HttpServices, "reports" | "connections" | "version">,
  asked: Run,
): Promise<FastifyReply> {
  reply.header("vary", "Origin, Accept");
  const query = request.query as z.infer<typeof ReportQuerySchema>;
  const format = query.format ?? acceptedFormat(request);
  const run = reported(asked);
  const form = { appendix: query.appendix === "1", fragment: query.fragment === "1" };
  const tag = tagOf(run, [format, form], version);
  const known = { etag: `"${tag}"`, "cache-control": "private, no-cache" };
  if (matchesTag(request.headers["if-none-match"], tag)) return reply.headers(known).code(304).send();
  if (format === "json") return reply.headers({ ...known, "content-disposition": nameOf(run, format) }).send(run.report);
  const bytes = await reports.render(run, format, connections.signalOf(reply), form);
  if (format === "html") reply.header("content-security-policy", `${reports.htmlPolicy}; frame-ancestors 'none'`);
  return sendFile(reply.headers(known), run, format, bytes);
}

/** Every file of a run is named by its question. */
function nameOf({ id, question }: Pick<Run, "id" | "question">, extension: string, kind: "inline" | "attachment" = "inline"): string {
  return dispositionOf(kind, question, `report-${id.replace(/[^A-Za-z0-9_-]/g, "-")}`, extension);
}

function sendFile(reply: FastifyReply, run: Run, format: FileFormat, bytes: Uint8Array): FastifyReply {
  const charset = format === "pdf" || format === "docx" ? "" : "; charset=utf-8";
  reply.header("content-disposition", nameOf(run, format, ATTACHED.includes(format) ? "attachment" : "inline"));
  return reply.type(`${MEDIA_TYPES[format]}${charset}`).send(Buffer.from(bytes));
}

function acceptedFormat(request: FastifyRequest): Format {
  const offers = Object.values(MEDIA_TYPES);
  const type = request.headers.accept?.trim() === "" ? MEDIA_TYPES.md : request.accepts().type(offers);
  const format = FORMATS.find((candidate) => MEDIA_TYPES[candidate] === type);
  if (format === undefined)
    throw new DossierError("not_acceptable", `Accept excludes every format of a report. Use one of: ${offers.join(", ")}.`);
  return format;
}

/** Returns the entity tag of a report. The run, the asked form and the version determine it, so nothing is rendered. */
function tagOf(
  run: ReportedRun,
  form: readonly [format: Format, more: { readonly appendix: boolean; readonly fragment: boolean }],
  version: string,
): string {
  return createHash("sha256")
    .update(JSON.stringify([version, form, run]))
    .digest("hex")
    .slice(0, 32);
}

function reported(run: Run): ReportedRun {
  const { report, status } = run;
  if (report === null) throw new DossierError("no_report", `The run is ${status} and has no report.`);
  return { ...run, report };
}

/** The URL contains the hash of the text, so the text never changes. `private` keeps it out of shared caches. */
const FOREVER = "private, max-age=31536000, immutable";

function registerDocuments(app: HttpApp, { runs, connections, exportTurn }: HttpServices): void {
  app.route({
    method: "GET",
    url: "/research/:id/documents/:contentHash",
    schema: {
      tags: ["research"],
      operationId: "getDocument",
      summary: "Read the exact text of a document that citations quote",
      params: DocumentParamsSchema,
      headers: z.looseObject({ "if-none-match": z.string().optional() }),
      response: {
        200: responseOf("The text.", "text/plain"),
        304: emptyResponse("The text has not changed."),
        ...problems(404),
      },
    },
    preHandler: (_request, reply) => exportTurn(connections.signalOf(reply)),
    handler: async (request, reply) => {
      const { id, contentHash } = request.params;
      const { text } = await runs.document(tenantOf(request), id, contentHash);
      reply.headers({ etag: `"${contentHash}"`, "cache-control": FOREVER, vary: "Origin, Cookie, Authorization, X-API-Key" });
      if (matchesTag(request.headers["if-none-match"], contentHash)) return reply.code(304).send();
      return reply.type("text/plain; charset=utf-8").send(text);
    },
  });
}

/** A page from a file has an origin of its own, runs no script and loads nothing. */
const FILE_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'";
/** These types are shown; a browser would download Markdown and CSV. */
const SHOWN_TYPES: Readonly<Record<string, string>> = { "text/markdown": "text/plain", "text/csv": "text/plain" };

function registerOriginals(app: HttpApp, { runs, connections, exportTurn }: HttpServices): void {
  app.route({
    method: "GET",
    url: "/research/:id/documents/:contentHash/original",
    schema: {
      tags: ["research"],
      operationId: "getOriginal",
      summary: "Read the file that a document was read from",
      description:
        "A file of the server's folder only while it is as the run read it; a file that was sent as long as it is in the thread.",
      params: DocumentParamsSchema,
      response: {
        200: responseOf("The file, with its own media type.", "application/octet-stream", binary.schema),
        ...problems(404, 503, 504),
      },
    },
    preHandler: (_request, reply) => exportTurn(connections.signalOf(reply)),
    handler: async (request, reply) => {
      const { id, contentHash } = request.params;
      const { bytes, mediaType, name } = await runs.original(tenantOf(request), id, contentHash, connections.signalOf(reply));
      reply.header("content-disposition", originalNameOf(name, mediaType));
      reply.header("cache-control", "private, no-cache");
      if (mediaType !== "application/pdf") reply.header("content-security-policy", FILE_POLICY);
      const isText = mediaType.startsWith("text/");
      return reply
        .type(`${SHOWN_TYPES[mediaType] ?? mediaType}${isText && isUtf8(bytes) ? "; charset=utf-8" : ""}`)
        .send(Buffer.from(bytes));
    },
  });
}

/** What follows the last point of a name may be no extension, as in "Report v2.0 – final". */
function originalNameOf(name: string, mediaType: string): string {
  const [extension = ""] = /\.[a-z0-9]{1,10}$/i.exec(name) ?? [];
  const typical = UPLOAD_TYPES.find(({ mediaTypes }) => mediaTypes.includes(mediaType))?.endings[0] ?? "bin";
  return dispositionOf("inline", name.slice(0, name.length - extension.length), "original", extension.slice(1) || typical);
}

function registerStreams(app: HttpApp, services: HttpServices): void {
  const { runs, connections, exportTurn } = services;
  const add = (
    name: string,
    operationId: string,
    summary: string,
    response: ReturnType<typeof responseOf>,
    extension: string,
    open: HttpServices["runs"]["recording"],
  ) => {
    const [mediaType = ""] = Object.keys(response.content);
    app.route({
      method: "GET",
      url: `/research/:id/${name}`,
      schema: { tags: ["research"], operationId, summary, params: RunParamsSchema, response: { 200: response, ...problems(404, 409) } },
      preHandler: (_request, reply) => exportTurn(connections.signalOf(reply)),
      handler: async (request, reply) => {
        const { id } = request.params;
        const disposition = nameOf(await runs.get(tenantOf(request), id), extension, "attachment");
        const download = { mediaType, disposition, pieces: open(tenantOf(request), id) };
        await sendDownload(request, reply, services, download);
        return reply;
      },
    });
  };
  const recording = responseOf("The recording. Each line is a JSON object.", "application/x-ndjson");
  add("recording", "getRecording", "Download the recording of a run", recording, "ndjson", (tenant, id) => runs.recording(tenant, id));
  const bundle = responseOf("The report, the cited texts, the log and their digests.", "application/json", BundleSchema);
  add("bundle", "getBundle", "Download the evidence bundle of a run", bundle, "bundle.json", (tenant, id) => runs.bundle(tenant, id));
}

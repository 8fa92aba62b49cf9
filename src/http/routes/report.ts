import { createHash } from "node:crypto";
import type { FastifyReply } from "fastify";
import { z } from "zod";
import type { FileFormat, ReportedRun } from "../../domain/ports/report-files.ts";
import { ReportSchema } from "../../domain/report.ts";
import type { Run } from "../../domain/run.ts";
import { DossierError } from "../../errors.ts";
import { namesTag } from "../entity-tags.ts";
import { dispositionOf } from "../file-names.ts";
import type { HttpApp } from "../http-app.ts";
import { preferredType } from "../negotiation.ts";
import { nothing, problems } from "../responses.ts";
import { RunParamsSchema } from "../schemas.ts";
import type { HttpServices } from "../services.ts";
import { tenantOf } from "../tenant.ts";

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

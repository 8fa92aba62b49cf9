import { z } from "zod";
import { type Report, ReportSchema } from "../../domain/report.ts";
import type { Run } from "../../domain/run.ts";
import { DossierError } from "../../errors.ts";
import type { HttpApp } from "../http-app.ts";
import { preferredType } from "../negotiation.ts";
import { problems } from "../responses.ts";
import { RunParamsSchema } from "../schemas.ts";
import type { HttpServices } from "../services.ts";
import { tenantOf } from "../tenant.ts";

const QuerySchema = z.strictObject({
  format: z.enum(["md", "json"], "must be one of the formats served here: md, json").optional().describe("Wins over `Accept`."),
});
type Format = "md" | "json";

/** The report of a run, as Markdown or as data. */
export function registerReportRoutes(app: HttpApp, { runs }: HttpServices): void {
  app.route({
    method: "GET",
    url: "/research/:id/report",
    schema: {
      tags: ["research"],
      operationId: "getReport",
      summary: "Read the report of a run",
      params: RunParamsSchema,
      querystring: QuerySchema,
      response: {
        200: {
          description: "The report.",
          content: { "text/markdown": { schema: z.string() }, "application/json": { schema: ReportSchema } },
        },
        ...problems(400, 404, 406, 409),
      },
    },
    handler: async (request, reply) => {
      const format = request.query.format ?? acceptedFormat(request.headers.accept);
      reply.header("vary", "Origin, Accept");
      const report = reportOf(await runs.get(tenantOf(request), request.params.id));
      if (format === "json") return reply.send(report);
      return reply.type("text/markdown; charset=utf-8").send(report.markdown);
    },
  });
}

function acceptedFormat(accept: string | undefined): Format {
  const type = preferredType(accept, ["text/markdown", "application/json"]);
  if (type === null) throw new DossierError("not_acceptable", "The report can be had as text/markdown and application/json.");
  return type === "application/json" ? "json" : "md";
}

function reportOf({ report, status }: Run): Report {
  if (report === null) throw new DossierError("no_report", `The run is ${status} and has no report.`);
  return report;
}

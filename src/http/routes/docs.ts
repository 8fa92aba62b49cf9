import { fastifySwaggerUi } from "@fastify/swagger-ui";
import { ERROR_KINDS } from "../../errors.ts";
import type { HttpApp } from "../http-app.ts";
import { ERRORS_PATH } from "../problems.ts";

/** Swagger UI brings its own files and needs nothing from elsewhere; its styles are partly inline. */
const PAGE_POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "connect-src 'self'",
  "font-src 'self' data:",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "img-src 'self' data:",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
].join("; ");

/** The documentation as pages: the routes under /docs, the error codes under /docs/errors. None of it is in OpenAPI. */
export async function registerDocs(app: HttpApp): Promise<void> {
  await app.register(fastifySwaggerUi, {
    routePrefix: "/docs",
    staticCSP: PAGE_POLICY,
    uiConfig: { docExpansion: "list", deepLinking: true },
  });
  app.get("/", { schema: { hide: true } }, async (_request, reply) => reply.redirect("/docs", 303));
  const page = errorsPage();
  app.get(ERRORS_PATH, { schema: { hide: true } }, async (_request, reply) => reply.type("text/html; charset=utf-8").send(page));
}

/** Where `type` of a problem leads to: one anchor for each code. */
function errorsPage(): string {
  const rows = Object.entries(ERROR_KINDS).map(
    ([code, { status, title, retryable }]) =>
      `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${title}</td><td>${retryable ? "yes" : "no"}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Dossier: error codes</title>
<h1>Error codes</h1>
<p>Every error is <code>application/problem+json</code> (RFC 9457). Codes are stable.</p>
<table>
<tr><th>code</th><th>status</th><th>title</th><th>worth a retry</th></tr>
${rows.join("\n")}
</table>
</html>
`;
}

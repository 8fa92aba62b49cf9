import { randomUUID } from "node:crypto";
import scalar from "@scalar/fastify-api-reference";
import { ERROR_KINDS } from "../../errors.ts";
import type { HttpApp } from "../http-app.ts";
import { htmlPage, PAGE_POLICY } from "../plain-page.ts";
import { ERRORS_PATH } from "../problems.ts";

/** Serves the documentation of the API and of its error codes, for readers. */
export function registerDocs(app: HttpApp): void {
  registerApiReference(app);
  app.get(ERRORS_PATH, { schema: { hide: true }, config: { scope: "none" } }, async (_request, reply) =>
    reply.header("content-security-policy", PAGE_POLICY).type("text/html; charset=utf-8").send(errorsPage()),
  );
}

/** Scalar at `/docs/`, with its script from its package: a reader's browser asks no other host. */
function registerApiReference(app: HttpApp): void {
  const nonce = randomUUID();
  const policy = [
    "default-src 'none'",
    "base-uri 'none'",
    "connect-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "img-src 'self' data:",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'unsafe-inline'",
  ].join("; ");
  app.register(async (scope) => {
    scope.addHook("onRoute", (route) => {
      route.config = { ...route.config, scope: "none" };
    });
    scope.addHook("onRequest", async (_request, reply) => {
      reply.header("content-security-policy", policy);
    });
    // Scalar's page lacks the language, by which a screen reader chooses its voice.
    scope.addHook("onSend", async ({ url }, _reply, payload) =>
      typeof payload === "string" && url.endsWith("/") ? payload.replace("<html>", '<html lang="en">') : payload,
    );
    await scope.register(scalar, {
      routePrefix: "/docs",
      // The page stands at `/docs/`, under the path of a reverse proxy if there is one.
      configuration: {
        url: "../openapi.json",
        pageTitle: "Dossier: HTTP API",
        nonce,
        withDefaultFonts: false,
        telemetry: false,
        agent: { disabled: true },
        mcp: { disabled: true },
        hideClientButton: true,
        showDeveloperTools: "never",
      },
    });
  });
}

function errorsPage(): string {
  const rows = Object.entries(ERROR_KINDS).map(
    ([code, { status, title, retryable }]) =>
      `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${title}</td><td>${retryable ? "yes" : "no"}</td></tr>`,
  );
  return htmlPage(
    "Dossier: error codes",
    `<h1>Error codes</h1>
<p>Every error is <code>application/problem+json</code> (RFC 9457). Codes are stable. See also the <a href="/docs">HTTP API</a>.</p>
<table>
<tr><th scope="col">code</th><th scope="col">status</th><th scope="col">title</th><th scope="col">worth a retry</th></tr>
${rows.join("\n")}
</table>`,
  );
}

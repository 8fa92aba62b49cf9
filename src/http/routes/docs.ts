import { ERROR_KINDS } from "../../errors.ts";
import { type ApiDescription, describeApi } from "../api-page.ts";
import type { HttpApp } from "../http-app.ts";
import { htmlPage, pagePolicy } from "../plain-page.ts";
import { ERRORS_PATH } from "../problems.ts";

/** Serves the documentation of the API and of its error codes, for readers. Both pages run no script. */
export function registerDocs(app: HttpApp): void {
  let api: string | undefined;
  const add = (url: string, html: () => string): void => {
    app.get(url, { schema: { hide: true }, config: { scope: "none" } }, async (_request, reply) =>
      reply.header("content-security-policy", pagePolicy()).type("text/html; charset=utf-8").send(html()),
    );
  };
  add("/docs", () => {
    api ??= htmlPage("Dossier: HTTP API", describeApi(app.swagger() as unknown as ApiDescription));
    return api;
  });
  add(ERRORS_PATH, errorsPage);
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

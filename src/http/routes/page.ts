import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fastifyStatic } from "@fastify/static";
import type { FastifyReply, FastifyRequest } from "fastify";
import { DossierError } from "../../errors.ts";
import { htmlBelow } from "../base-path.ts";
import type { HttpApp } from "../http-app.ts";

/** The built page. `npm start` builds it (scripts/build-page.ts). */
export const PAGE_FOLDER = join(import.meta.dirname, "../../../web/dist");

/** The paths of the page's views. The page itself reads the rest of the path. */
const VIEWS = ["/", "/runs/*", "/history", "/history/*", "/compare", "/compare/*", "/system", "/replay"];

const PAGE_POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "connect-src 'self'",
  "font-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "img-src 'self' data:",
  "script-src 'self'",
  "style-src 'self'",
  "require-trusted-types-for 'script'",
  // The library that cleans the HTML of components makes its policy with this name.
  "trusted-types dompurify",
].join("; ");

/** Vite names files in this folder after a hash of their content. */
const HASHED = "/assets/";

const HTML = "text/html; charset=utf-8";

/** The page has no data. What it shows comes from routes that ask for a key. */
const OPEN = { schema: { hide: true }, config: { scope: "none" } } as const;

/** The built page. */
export interface Page {
  readonly folder: string;
  /** The document of all views. Its addresses begin with `/`. */
  readonly html: string;
}

/** Reads the built page; null if the folder has none. */
export async function readPage(folder: string, basePath: string): Promise<Page | null> {
  const built = await readFile(join(folder, "index.html"), "utf8").catch(() => null);
  if (built === null) return null;
  const html = htmlBelow(built, "").replace('name="base-path" content=""', `name="base-path" content="${basePath}"`);
  return { folder, html };
}

/** Serves the page. Without one `/` leads to the API's documentation. */
export async function registerPage(app: HttpApp, page: Page | null): Promise<void> {
  if (page === null) {
    app.get("/", OPEN, async (_request, reply) => reply.redirect("/docs", 303));
    return;
  }
  for (const url of VIEWS) app.get(url, OPEN, (request, reply) => sendView(request, reply, page));
  await app.register(async (files) => {
    files.addHook("onRoute", (route) => {
      route.config = { ...route.config, ...OPEN.config };
    });
    files.addHook("onRequest", async ({ url }, reply) => {
      reply.header("content-security-policy", PAGE_POLICY);
      reply.header("cache-control", url.startsWith(HASHED) ? "public, max-age=31536000, immutable" : "no-cache");
    });
    await files.register(fastifyStatic, {
      root: page.folder,
      schemaHide: true,
      index: false,
      wildcard: false,
      globIgnore: ["index.html", "**/*.{br,gz}"],
      // The build compresses each file (web/vite.config.ts).
      preCompressed: true,
      cacheControl: false,
    });
  });
}

/** Whether somebody has opened an address in a browser at which there is nothing. */
export function isLostReader({ method, url, headers }: FastifyRequest): boolean {
  const isReader = (method === "GET" || method === "HEAD") && /\btext\/html\b/i.test(headers.accept ?? "");
  return isReader && !url.startsWith(HASHED);
}

/** Answers with the page, which says itself that it has no such view. */
export function sendLostPage(request: FastifyRequest, reply: FastifyReply, { html }: Page, status: number): FastifyReply {
  reply.headers({ "content-security-policy": PAGE_POLICY, "cache-control": "no-store", "x-content-type-options": "nosniff" });
  return reply
    .code(status)
    .type(HTML)
    .send(request.method === "HEAD" ? "" : html);
}

async function sendView(request: FastifyRequest, reply: FastifyReply, { html }: Page): Promise<FastifyReply> {
  if (request.headers.accept !== undefined && request.accepts().type(["text/html"]) === false) {
    throw new DossierError("not_acceptable", "This address is a page for browsers, as text/html. The API is described at /docs.");
  }
  return reply.headers({ "content-security-policy": PAGE_POLICY, "cache-control": "no-cache" }).type(HTML).send(html);
}

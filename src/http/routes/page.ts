import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, posix, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { DossierError } from "../../errors.ts";
import { htmlBelow } from "../base-path.ts";
import { matchesTag } from "../headers.ts";
import type { HttpApp } from "../http-app.ts";

/** The built page. `npm run build:web` makes it. */
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

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
};

/** Vite names files in this folder after a hash of their content. */
const HASHED = "/assets/";

type Encoding = "br" | "gzip";
const ENCODERS: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  // Higher qualities take seconds for a few percent.
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (bytes) => promisify(gzip)(bytes),
};

/** The page has no data. What it shows comes from routes that ask for a key. */
const OPEN = { schema: { hide: true }, config: { scope: "none" } } as const;

/** The built page in memory. */
export interface Page {
  readonly files: ReadonlyMap<string, PageFile>;
  readonly index: PageFile;
}

/** Reads the built page, whose addresses get the path of a reverse proxy; null if the folder has none. */
export async function readPage(folder: string, basePath: string): Promise<Page | null> {
  const files = await readFiles(folder);
  const built = files.get("/index.html");
  if (built === undefined) return null;
  const html = htmlBelow(built.bytes.toString(), basePath);
  const index = new PageFile(
    "/index.html",
    Buffer.from(html.replace('name="base-path" content=""', `name="base-path" content="${basePath}"`)),
  );
  return { files: files.set("/index.html", index), index };
}

/** Serves the page. Without one `/` leads to the API's documentation. */
export function registerPage(app: HttpApp, page: Page | null): void {
  if (page === null) {
    app.get("/", OPEN, async (_request, reply) => reply.redirect("/docs", 303));
    return;
  }
  const { files, index } = page;
  for (const url of VIEWS) app.get(url, OPEN, (request, reply) => sendPage(request, reply, index));
  for (const [url, file] of files) {
    if (file !== index) app.get(url, OPEN, (request, reply) => sendFile(request, reply, file));
  }
}

/** Whether somebody has opened an address in a browser at which there is nothing. */
export function isLostReader({ method, url, headers }: FastifyRequest): boolean {
  const isReader = (method === "GET" || method === "HEAD") && /\btext\/html\b/i.test(headers.accept ?? "");
  return isReader && !url.startsWith(HASHED);
}

/** Answers with the page, which says itself that it has no such view. */
export function sendLostPage(request: FastifyRequest, reply: FastifyReply, { index }: Page, status: number): FastifyReply {
  reply.headers({ "content-security-policy": PAGE_POLICY, "cache-control": "no-store", "x-content-type-options": "nosniff" });
  return reply
    .code(status)
    .type(index.mediaType)
    .send(request.method === "HEAD" ? "" : index.bytes);
}

async function readFiles(folder: string): Promise<Map<string, PageFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const read = paths.sort().map(async (path): Promise<[string, PageFile]> => {
    const url = posix.join("/", path.slice(folder.length).replaceAll(sep, "/"));
    return [url, new PageFile(url, await readFile(path))];
  });
  return new Map(await Promise.all(read));
}

class PageFile {
  readonly mediaType: string;
  readonly tag: string;
  readonly cacheControl: string;
  readonly bytes: Buffer;
  readonly #encoded = new Map<Encoding, Promise<Buffer>>();

  constructor(url: string, bytes: Buffer) {
    this.bytes = bytes;
    this.mediaType = MEDIA_TYPES[extname(url)] ?? "application/octet-stream";
    this.tag = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
    this.cacheControl = url.startsWith(HASHED) ? "public, max-age=31536000, immutable" : "no-cache";
  }

  /** Compressed once, when it is first asked for. */
  encoded(encoding: Encoding): Promise<Buffer> {
    const known = this.#encoded.get(encoding) ?? ENCODERS[encoding](this.bytes);
    this.#encoded.set(encoding, known);
    return known;
  }
}

async function sendPage(request: FastifyRequest, reply: FastifyReply, index: PageFile): Promise<FastifyReply> {
  if (request.headers.accept !== undefined && request.accepts().type(["text/html"]) === false) {
    throw new DossierError("not_acceptable", "This address is a page for browsers, as text/html. The API is described at /docs.");
  }
  return sendFile(request, reply, index);
}

async function sendFile(request: FastifyRequest, reply: FastifyReply, file: PageFile): Promise<FastifyReply> {
  reply.headers({
    "content-security-policy": PAGE_POLICY,
    "cache-control": file.cacheControl,
    etag: `"${file.tag}"`,
    vary: "Origin, Accept-Encoding",
  });
  if (matchesTag(request.headers["if-none-match"], file.tag)) return reply.code(304).send();
  const encoding = request.headers["accept-encoding"] === undefined ? false : request.accepts().encoding(["br", "gzip", "identity"]);
  if (encoding !== "br" && encoding !== "gzip") return reply.type(file.mediaType).send(file.bytes);
  return reply
    .header("content-encoding", encoding)
    .type(file.mediaType)
    .send(await file.encoded(encoding));
}

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { makePdf } from "../documents/pdf/make-pdf.ts";
import type { Script } from "../fakes/model-server/script.ts";
import { openModelServer } from "../fakes/model-server/serve.ts";
import { CORPUS, makeHome } from "../helpers/open-dossier.ts";
import { HOSTILE_TEXTS } from "./texts.ts";

/** What the source and the tool give: the texts of these numbers. */
export interface Feed {
  readonly numbers: readonly number[];
  readonly length: number;
  /** The source gives pages of this kind to download, or hits with hostile fields. */
  readonly kind: "hits" | "html" | "md" | "pdf" | "txt";
}

export interface Block {
  /** Processor time of the main thread in the longest block of its event loop. */
  readonly processorMs: number;
}

const LINE = 80;
const LINES_OF_A_PAGE = 60;

/** The text of a number as a page of this kind. */
function pageOf(number: number, length: number, kind: string): string | Buffer {
  const text = HOSTILE_TEXTS[number]?.[1](length) ?? "";
  if (kind === "html")
    return `<!doctype html><html><head><title>${text.slice(0, 10_000)}</title></head><body><main>${text}</main></body></html>`;
  if (kind !== "pdf") return text;
  const lines = text.match(new RegExp(`[^]{1,${LINE}}`, "g")) ?? [];
  const pages = Array.from({ length: Math.ceil(lines.length / LINES_OF_A_PAGE) }, (_, page) => ({
    texts: lines
      .slice(page * LINES_OF_A_PAGE, (page + 1) * LINES_OF_A_PAGE)
      .map((line, i) => ({ x: 20, y: 780 - 12 * i, size: 6, font: "chinese" as const, text: line })),
  }));
  return makePdf(pages);
}

const TYPES: Readonly<Record<string, string>> = { html: "text/html", md: "text/markdown", pdf: "application/pdf", txt: "text/plain" };

/** Serves the texts as pages at `/<length>/<number>.<kind>`. */
async function startPages() {
  const server = createServer((request, response) => {
    const [, length = "0", number = "0", kind = "txt"] = /^\/(\d+)\/(\d+)\.(\w+)$/.exec(request.url ?? "") ?? [];
    response.writeHead(200, { "content-type": `${TYPES[kind]}; charset=utf-8` }).end(pageOf(Number(number), Number(length), kind));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}`, close: () => void server.close().closeAllConnections() };
}

export interface HostileService {
  readonly url: string;
  readonly child: ChildProcess;
  /** Sets what source and tool give, and returns the longest block since the last call. */
  feed(feed: Feed | "look"): Promise<Block>;
  post(body: string): Promise<{ readonly status: number; readonly body: Record<string, unknown> }>;
  close(): Promise<void>;
}

/** Starts the real service in a child process, with hostile pages, a hostile tool, and a model if there is a script. */
export async function openHostileService(
  script: Script | null,
  settings: Readonly<Record<string, string>> = {},
  execArgv: readonly string[] = [],
): Promise<HostileService> {
  const home = await makeHome(CORPUS);
  const pages = await startPages();
  const model = script === null ? null : await openModelServer(script);
  const own = model === null ? {} : { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "sk-test", OPENAI_MODEL: "scripted" };
  const all = { ALLOWED_PRIVATE_HOSTS: `127.0.0.1:${pages.port}`, ...own, ...settings };
  const child = fork(new URL("./host.ts", import.meta.url), [JSON.stringify({ home, pages: pages.url, settings: all })], {
    execArgv: [...execArgv],
  });
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    child,
    async feed(feed) {
      const answer = once(child, "message");
      child.send(feed);
      const [block] = (await answer) as [Block];
      return block;
    },
    async post(body) {
      const headers = { "content-type": "application/json", prefer: "wait=60" };
      const response = await fetch(`${url}/research`, { method: "POST", headers, body });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
    async close() {
      if (child.exitCode === null && child.signalCode === null) {
        const exit = once(child, "exit");
        child.disconnect();
        await exit;
      }
      await model?.close();
      pages.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

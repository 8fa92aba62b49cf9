import type { FastifyInstance } from "fastify";
import { type Fields, fieldsOf, isFields, listOf, textOf } from "../util/json-fields.ts";

/** Returns the part of an address below `base`, which a reverse proxy may have taken off already. */
export function withoutBase(url: string, base: string): string {
  const below = url.startsWith(base) ? url.slice(base.length) : url;
  return below.startsWith("/") ? below : below === "" || below.startsWith("?") ? `/${below}` : url;
}

/** Gives the addresses of a page of HTML that begin with `/`, or with `./` as the built page has them, the path `base`. */
export function htmlBelow(html: string, base: string): string {
  return html.replaceAll(/(href|src)="\.?\//g, `$1="${base}/`);
}

/** Gives the addresses in answers the path under which a reverse proxy serves them. An error's `type` is a name, which stays. */
export function addBase(app: Pick<FastifyInstance, "addHook">, base: string): void {
  if (base === "") return;
  app.addHook("preSerialization", async (_request, _reply, payload: unknown) => linksBelow(payload, base));
  app.addHook("onSend", async (_request, reply, payload: unknown) => {
    const location = reply.getHeader("location");
    if (typeof location === "string" && location.startsWith("/")) reply.header("location", base + location);
    const isHtml = typeof payload === "string" && String(reply.getHeader("content-type")).startsWith("text/html");
    return isHtml ? htmlBelow(payload, base) : payload;
  });
}

/** A run, or a page of a list of runs. */
function linksBelow(payload: unknown, base: string): unknown {
  if (!isFields(payload)) return payload;
  const { links, runs } = payload;
  if (Array.isArray(runs)) return { ...payload, runs: listOf(runs).map((run) => linksBelow(run, base)) };
  return isFields(links) && textOf(links["self"]) !== "" ? { ...payload, links: linksOf(links, base) } : payload;
}

function linksOf(links: Fields, base: string): Fields {
  return Object.fromEntries(Object.entries(fieldsOf(links)).map(([name, path]) => [name, base + textOf(path)]));
}

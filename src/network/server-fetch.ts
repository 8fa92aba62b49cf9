import { DossierError } from "../errors.ts";
import { type AnswerLimit, askServer, openPool } from "./configured-server.ts";

const MAX_CONNECTIONS = 16;

export type ServerFetchOptions = Required<Omit<AnswerLimit, "tooLarge">>;

/** The way to a server that speaks over HTTP; `close` ends what is under way. */
export interface ServerWay {
  /** As `fetch`, for requests with a body of text. Goes to the server's origin alone, and follows no redirect. */
  fetch(url: string | URL, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

/** Connects to what the operator configured, in whatever network it is. */
export function createServerFetch(baseUrl: string, options: ServerFetchOptions): ServerWay {
  const { name, maxBytes } = options;
  const { origin } = new URL(baseUrl);
  const dispatcher = openPool(MAX_CONNECTIONS);
  const tooLarge = (): DossierError =>
    new DossierError("document_too_large", `${name} sent more than ${maxBytes} bytes; they were not read.`);
  return {
    async fetch(url, { method = "GET", headers, body, signal } = {}) {
      const target = new URL(url);
      if (target.origin !== origin)
        throw new DossierError("out_of_scope", `${name} asks for a place that is not its own; it was not asked there.`);
      const said = { method, headers: Object.fromEntries(new Headers(headers)), signal: signal ?? undefined };
      return askServer(dispatcher, target, { ...said, body: typeof body === "string" ? body : undefined }, { ...options, tooLarge });
    },
    close: () => dispatcher.destroy(),
  };
}

import { DossierError } from "../errors.ts";
import { type AnswerLimit, askServer, openPool, type ServerRequest } from "./configured-server.ts";

const MAX_BYTES = 16_000_000;
const MAX_CONNECTIONS = 64;

interface ModelRequest extends ServerRequest {
  readonly method: "GET" | "POST";
  readonly signal: AbortSignal;
}

/** The way to a model's server; `close` ends what is under way. */
export interface ModelWay {
  /**
   * Goes nowhere but below the base URL, follows no redirect, has no limit of time of its own, and ends an answer of more than
   * 16 MB with an error. An abort of the signal closes the connection at once.
   * @throws DossierError `out_of_scope`, `unreachable`, `timeout`; the reason of the signal
   */
  readonly fetch: (url: string, request: ModelRequest) => Promise<Response>;
  close(): Promise<void>;
}

/** Connects to what the operator configured, in whatever network it is. */
export function createModelFetch(baseUrl: string): ModelWay {
  const base = new URL(`${baseUrl.replace(/\/+$/, "")}/`);
  const dispatcher = openPool(MAX_CONNECTIONS);
  const tooLarge = (): DossierError =>
    new DossierError("model_unavailable", `${base.host} sent more than ${MAX_BYTES} bytes; the answer was not read to its end.`);
  const limit: AnswerLimit = { name: base.host, maxBytes: MAX_BYTES, tooLarge };
  return {
    async fetch(url, asked) {
      const target = new URL(url);
      if (target.origin !== base.origin || !target.pathname.startsWith(base.pathname))
        throw new DossierError("out_of_scope", `${target.host}${target.pathname} is not below the address of the model's server.`);
      return askServer(dispatcher, target, asked, limit);
    },
    close: () => dispatcher.destroy(),
  };
}

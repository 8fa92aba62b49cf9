import type { IncomingMessage } from "node:http";

/** A request as a service received it. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query as sent, still encoded. If the endpoint has several hosts, the path begins with the host. */
  readonly target: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Reads a request to its end. */
export async function seeRequest(request: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const target = request.url ?? "/";
  return {
    method: request.method ?? "GET",
    target,
    url: new URL(target, "http://service"),
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
    body: Buffer.concat(chunks).toString(),
  };
}

import { onTestFinished } from "vitest";
import type { SearchSource } from "../../src/domain/ports/sources.ts";
import { createNetwork } from "../../src/network/network.ts";
import { TIME_LIMITS } from "../../src/network/send-request.ts";
import type { SourceEntry } from "../../src/tools/shared/entry.ts";
import { openSource } from "../../src/tools/sources/sources.ts";
import { startLoopback } from "../fakes/loopback-server.ts";
import { type SeenRequest, seeRequest } from "./recorded-request.ts";

/** The answer of a service; a plain string has status 200. */
export type Body = string | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly text: string };
/** Answers one request; `null` leaves the connection open without an answer. */
export type Answers = (request: SeenRequest) => Body | null;

export interface ServiceUnderTest {
  readonly source: SearchSource;
  /** The requests that the service received, in order. */
  readonly requests: readonly SeenRequest[];
}

export const API_KEY = "k3y-of-the-operator";
/** The User-Agent of the sources under test. */
export const USER_AGENT = "dossier/test (mailto:operator@example.org)";

/** A source with a loopback service; both are closed at the end of the test. */
export async function serviceUnderTest(entry: SourceEntry, type: string, answers: Answers): Promise<ServiceUnderTest> {
  const requests: SeenRequest[] = [];
  const server = await startLoopback(async (incoming, response) => {
    const request = await seeRequest(incoming);
    requests.push(request);
    const body = answers(request);
    if (body === null) return;
    const { status = 200, headers = {}, text } = typeof body === "string" ? { text: body } : body;
    response.writeHead(status, { "content-type": type, ...headers }).end(text);
  });
  onTestFinished(() => server.close());
  return { source: sourceAt(entry, server.url), requests };
}

/** The source with its service at `baseUrl`. */
export function sourceAt(entry: SourceEntry, baseUrl: string): SearchSource {
  const limits = { ...TIME_LIMITS, paced: false };
  const network = createNetwork({ baseUrls: { [entry.endpoint.id]: baseUrl }, allowedHosts: new Set(), userAgent: USER_AGENT, limits });
  onTestFinished(() => network.close());
  return openSource(entry, { fetch: network, apiKey: API_KEY, contactEmail: "operator@example.org" });
}

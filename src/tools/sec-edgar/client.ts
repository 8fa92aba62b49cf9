import type { HttpFetch } from "../../domain/ports/http-fetch.ts";
import { createServiceClient, type ServiceClient, type ServiceRequest } from "../services/service-client.ts";
import { SEC_EDGAR } from "./endpoint.ts";
import { createJudge } from "./judge.ts";

/** EDGAR wants a name and an address to write to as the User-Agent: https://www.sec.gov/os/accessing-edgar-data. */
export function createEdgarClient(fetch: HttpFetch, contactEmail: string | undefined): ServiceClient {
  const client = createServiceClient(SEC_EDGAR, fetch, createJudge(contactEmail));
  const named = contactEmail === undefined ? {} : { "user-agent": `Dossier ${contactEmail}` };
  const introduce = (request: ServiceRequest = {}): ServiceRequest => ({ ...request, headers: { ...named, ...request.headers } });
  return {
    text: (url, context, request) => client.text(url, context, introduce(request)),
    json: (schema, url, context, request) => client.json(schema, url, context, introduce(request)),
  };
}

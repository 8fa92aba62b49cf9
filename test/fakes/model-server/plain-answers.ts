import type { IncomingMessage, ServerResponse } from "node:http";
import type { Refusal } from "./refusal.ts";
import type { SeenBody } from "./seen-request.ts";

const MAX_BODY_CHARACTERS = 64 * 1024 * 1024;

/** Reads a request's body; undefined if the client left early, or if it exceeds 64 Mi characters, which closes its socket. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  let body = "";
  request.setEncoding("utf8");
  try {
    for await (const part of request) {
      body += part;
      if (body.length > MAX_BODY_CHARACTERS) return undefined;
    }
    return body;
  } catch {
    return undefined;
  }
}

/** Parses a JSON object; undefined if the text is none. */
export function readJson(text: string): SeenBody | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as SeenBody) : undefined;
  } catch {
    return undefined;
  }
}

/** Answers with an error in OpenAI's form. */
export const refuse = (response: ServerResponse, { status, error }: Refusal): void => sendJson(response, status, { error });

/** Answers with JSON. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

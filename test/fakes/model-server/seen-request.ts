import type { IncomingHttpHeaders } from "node:http";

/** A message as it was sent; the server has checked it unless it refused the request. */
export interface SeenMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } }[];
  readonly tool_call_id?: string;
}

/** A request's JSON: the fields that tests read by name, and all others. */
export interface SeenBody {
  readonly model: string;
  readonly messages: readonly SeenMessage[];
  readonly tools?: readonly { readonly function: { readonly name: string; readonly description?: string; readonly parameters: object } }[];
  readonly stream?: boolean;
  readonly [key: string]: unknown;
}

/** One completion request. Times are those of the server's `now`. */
export interface SeenRequest {
  readonly body: SeenBody;
  readonly headers: IncomingHttpHeaders;
  /** When its body had arrived. */
  readonly at: number;
  /** When the client closed the socket before the answer had ended. */
  readonly abortedAt: number | null;
  /** When the answer had ended, completely or by a scripted reset. */
  readonly endedAt: number | null;
  /** Null until a status is sent. */
  readonly status: number | null;
  /** Why it was refused. */
  readonly refusal: string | null;
}

/** Returns the texts of the messages of a role, in order; the parts of a content are joined. */
export const contentsOf = (request: SeenRequest, role: string): string[] =>
  request.body.messages
    .filter((message) => message.role === role)
    .map(({ content }) => (typeof content === "string" ? content : joined(content)));

/** Returns the names of the tools that a request offers. */
export const offeredTools = (request: SeenRequest): string[] => (request.body.tools ?? []).map((tool) => tool.function.name);

/** Whether a search that found nothing relevant asks for other queries: it offers only `search`, and says so. */
export const rewritesQueries = (request: SeenRequest): boolean =>
  offeredTools(request).join() === "search" && (contentsOf(request, "user").at(-1) ?? "").includes("nothing relevant");

const joined = (content: unknown) =>
  Array.isArray(content) ? content.map((part: { text?: unknown }) => (typeof part.text === "string" ? part.text : "")).join("") : "";

/** Returns the user's last message in the nth request of a server, from 0. */
export function promptOf({ requests }: { readonly requests: readonly SeenRequest[] }, n = 0): string {
  const request = requests[n];
  if (request === undefined) throw new Error(`There was no request ${n}.`);
  return contentsOf(request, "user").at(-1) ?? "";
}

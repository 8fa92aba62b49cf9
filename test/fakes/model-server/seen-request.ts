import type { IncomingHttpHeaders } from "node:http";

/** A message as it was sent; the server has checked it unless it refused the request. */
export interface SeenMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } }[];
  readonly tool_call_id?: string;
}

/** A request's JSON: what tests ask for by name, and whatever else was in it. */
export interface SeenBody {
  readonly model: string;
  readonly messages: readonly SeenMessage[];
  readonly tools?: readonly { readonly function: { readonly name: string; readonly description?: string; readonly parameters: object } }[];
  readonly stream?: boolean;
  readonly [key: string]: unknown;
}

/** One request for a completion. Times are of `performance.now()`. */
export interface SeenRequest {
  readonly body: SeenBody;
  readonly headers: IncomingHttpHeaders;
  /** When its body had arrived. */
  readonly at: number;
  /** When the client closed the socket before the answer had ended. */
  readonly abortedAt: number | null;
  /** When the answer had ended, in order or by a scripted reset. */
  readonly endedAt: number | null;
  /** Null until one is sent. */
  readonly status: number | null;
  /** Why it was refused. */
  readonly refusal: string | null;
}

/** The texts of the messages of a role, in order; parts of a content are joined. */
export const contentsOf = (request: SeenRequest, role: string): string[] =>
  request.body.messages
    .filter((message) => message.role === role)
    .map(({ content }) => (typeof content === "string" ? content : joined(content)));

/** The names of the tools that a request offers; none where it has no `tools`. */
export const offeredTools = (request: SeenRequest): string[] => (request.body.tools ?? []).map((tool) => tool.function.name);

const joined = (content: unknown) =>
  Array.isArray(content) ? content.map((part: { text?: unknown }) => (typeof part.text === "string" ? part.text : "")).join("") : "";

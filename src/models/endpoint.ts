/** Sends a request to the model's server. Follows no redirect; rejects with an error whose `code` is the system's. */
export type ModelFetch = (
  url: string,
  init: {
    readonly method: "GET" | "POST";
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly signal: AbortSignal;
  },
) => Promise<Response>;

/** Where the model is. */
export interface ModelEndpoint {
  /** Such as `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly fetch: ModelFetch;
}

/** The address of something below the base URL. */
export function addressOf({ baseUrl }: ModelEndpoint, path: string): string {
  return `${baseUrl.replace(/\/+$/, "")}/${path}`;
}

export function headersFor({ apiKey }: ModelEndpoint): Record<string, string> {
  return {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...(apiKey !== undefined && apiKey !== "" && { authorization: `Bearer ${apiKey}` }),
  };
}

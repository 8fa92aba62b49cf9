interface ErrorKind {
  readonly status: number;
  readonly title: string;
  readonly retryable: boolean;
}

const kind = (status: number, title: string, retryable = false): ErrorKind => ({ status, title, retryable });

/** The codes are part of the public API. Add codes, but never rename one. */
export const ERROR_KINDS = {
  invalid_request: kind(400, "The request is not valid"),
  invalid_json: kind(400, "The body is not valid JSON"),
  limit_too_high: kind(400, "A limit asks for more than this server allows"),
  unknown_source: kind(400, "A source in the scope is not available here"),
  unknown_graph: kind(400, "There is no graph of that name"),
  unauthorized: kind(401, "A valid key is needed"),
  missing_scope: kind(403, "The key may not do this"),
  not_owner: kind(403, "This belongs to somebody else, who shares it for reading"),
  forbidden_host: kind(403, "This Host is not served"),
  forbidden_origin: kind(403, "This Origin is not served"),
  not_found: kind(404, "There is nothing here"),
  method_not_allowed: kind(405, "This method is not served here"),
  not_acceptable: kind(406, "No representation fits the Accept header"),
  run_not_finished: kind(409, "The run has not finished"),
  run_finished: kind(409, "The run has already finished"),
  thread_busy: kind(409, "The thread has a run that has not ended"),
  run_not_waiting: kind(409, "The run is not waiting for this answer"),
  no_report: kind(409, "The run has no report"),
  too_large: kind(413, "The body is too large"),
  too_many_documents: kind(413, "There are too many documents"),
  unsupported_media_type: kind(415, "The content type is not supported"),
  unsupported_document: kind(415, "The type of a document is not supported"),
  encrypted_document: kind(422, "A document is encrypted"),
  idempotency_mismatch: kind(422, "This Idempotency-Key was used with another body"),
  model_required: kind(422, "This graph needs a model"),
  unpriced_model: kind(422, "The price of this model is not known"),
  budget_exhausted: kind(429, "What may be spent today is used up"),
  too_many_runs: kind(429, "As many runs as allowed are queued or running", true),
  queue_full: kind(429, "The queue of runs is full", true),
  secret_key_missing: kind(422, "This server has no key to encrypt secrets with"),
  overloaded: kind(503, "The server is overloaded", true),
  draining: kind(503, "The server is shutting down", true),
  storage_unavailable: kind(503, "The database refuses writes at the moment", true),
  storage_damaged: kind(500, "The database file is damaged"),
  internal: kind(500, "Something went wrong inside the server"),

  config_invalid: kind(500, "The configuration is not valid"),
  data_dir_in_use: kind(500, "Another process uses this data folder"),
  recording_invalid: kind(422, "The recording cannot be read"),
  bundle_invalid: kind(422, "The bundle cannot be read"),
  replay_diverged: kind(409, "The replay differs from its recording"),
  fenced: kind(409, "Another attempt owns this run"),
  run_closed: kind(409, "The run is closed"),
  cancelled: kind(409, "The run was cancelled"),
  step_cap: kind(409, "The step limit is reached"),
  model_call_cap: kind(409, "The limit of model calls is reached"),
  token_budget: kind(409, "The token limit is reached"),
  cost_budget: kind(409, "The cost limit is reached"),
  crashed: kind(500, "The process crashed while it executed this run"),
  child_failed: kind(502, "A critical child of the team failed"),
  interrupted: kind(503, "The server shut down during this step", true),
  model_unavailable: kind(502, "The model could not be reached", true),
  model_refused: kind(502, "The model's server refused the request"),
  model_output: kind(502, "The model's answer cannot be used"),
  context_too_large: kind(413, "The conversation is too large for the model"),
  timeout: kind(504, "The time limit was exceeded", true),
  unreachable: kind(502, "The server could not be reached", true),
  blocked: kind(502, "Access was refused"),
  rate_limited: kind(429, "Too many requests", true),
  paywalled: kind(402, "The page is behind a paywall"),
  document_too_large: kind(413, "The document is too large"),
  unreadable: kind(422, "The content could not be read"),
  empty: kind(422, "The document contains no text"),
  forbidden_address: kind(403, "The address is not allowed"),
  out_of_scope: kind(403, "The address is outside the scope of the run"),
  invalid_arguments: kind(422, "The arguments are not valid"),
  unknown_tool: kind(404, "There is no tool of that name"),
  tool_failed: kind(502, "The tool failed"),
  not_confirmed: kind(403, "The user did not agree to the call"),
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERROR_KINDS;

/** A fault in a request or in the settings. `path` is a JSON pointer or the name of a setting. */
export interface Fault {
  readonly path: string;
  readonly message: string;
  /** The most that is allowed. */
  readonly limit?: number;
}

/** The only error class of this program. `message` tells users what happened and what to do. */
export class DossierError extends Error {
  override readonly name = "DossierError";
  readonly code: ErrorCode;
  readonly faults: readonly Fault[];
  /** With `context_too_large`: the size of the context, if it is known. */
  readonly limitTokens: number | undefined;
  /** When a client may try again. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; faults?: readonly Fault[]; limitTokens?: number; retryAfterSeconds?: number } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.faults = options.faults ?? [];
    this.limitTokens = options.limitTokens;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return ERROR_KINDS[this.code].status;
  }
}

export function invalidSettings(faults: readonly Fault[], cause?: unknown): DossierError {
  const details = faults.map(({ path, message }) => `${path}: ${message}`).join("; ");
  const message = `Settings are wrong: ${details}. Nothing was started. Correct them and start again.`;
  return new DossierError("config_invalid", message, { cause, faults });
}

export function isErrorCode(value: string): value is ErrorCode {
  return Object.hasOwn(ERROR_KINDS, value);
}

interface StoredError {
  readonly code: string;
  readonly message: string;
  readonly limitTokens?: number;
}

export function storedError({ code, message, ...limit }: StoredError): DossierError {
  return new DossierError(isErrorCode(code) ? code : "internal", message, limit);
}

export function toDossierError(error: unknown, code: ErrorCode = "internal"): DossierError {
  if (error instanceof DossierError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new DossierError(code, message || ERROR_KINDS[code].title, { cause: error });
}

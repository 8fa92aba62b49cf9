import { expect, it } from "vitest";
import { ERROR_KINDS } from "../src/errors.ts";

it("has these codes, with these statuses; clients rely on them", () => {
  const statuses = Object.fromEntries(Object.entries(ERROR_KINDS).map(([code, { status }]) => [code, status]));
  expect(statuses).toEqual({
    invalid_request: 400,
    invalid_json: 400,
    limit_too_high: 400,
    unknown_source: 400,
    unknown_graph: 400,
    unauthorized: 401,
    forbidden_host: 403,
    forbidden_origin: 403,
    not_found: 404,
    method_not_allowed: 405,
    not_acceptable: 406,
    run_not_finished: 409,
    run_finished: 409,
    run_not_waiting: 409,
    no_report: 409,
    too_large: 413,
    unsupported_media_type: 415,
    idempotency_mismatch: 422,
    model_required: 422,
    queue_full: 503,
    draining: 503,
    storage_unavailable: 503,
    internal: 500,
    config_invalid: 500,
    data_dir_in_use: 500,
    recording_invalid: 422,
    replay_diverged: 409,
    fenced: 409,
    run_closed: 409,
    cancelled: 409,
    step_cap: 409,
    timeout: 504,
    unreachable: 502,
    blocked: 502,
    rate_limited: 429,
    paywalled: 402,
    document_too_large: 413,
    unreadable: 422,
    empty: 422,
    forbidden_address: 403,
    out_of_scope: 403,
    invalid_arguments: 422,
    unknown_tool: 404,
    tool_failed: 502,
  });
});

it("calls an error retryable where the same request may succeed in a moment", () => {
  const retryable = Object.entries(ERROR_KINDS).filter(([, kind]) => kind.retryable);
  expect(retryable.map(([code]) => code)).toEqual([
    "queue_full",
    "draining",
    "storage_unavailable",
    "timeout",
    "unreachable",
    "rate_limited",
  ]);
});

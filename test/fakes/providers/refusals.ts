import { HISTORY_REFUSALS } from "./refusals/history-refusals.ts";
import type { RefusedRequest } from "./refusals/refused-request.ts";
import { SCHEMA_REFUSALS } from "./refusals/schema-refusals.ts";

/** Forms of request that servers refuse in words that no client can know; `openAi({ refused })` serves one of them. */
export const refusals: readonly RefusedRequest[] = [...SCHEMA_REFUSALS, ...HISTORY_REFUSALS];

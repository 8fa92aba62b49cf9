import { useCallback } from "react";
import type { Accepted } from "../../../src/domain/accepted.ts";
import { getAccepted } from "../api/endpoints.ts";
import { useResource } from "./use-resource.ts";

/** What the server takes at most; null until it has said so. Without it, the server alone judges what is sent. */
export function useAccepted(): Accepted | null {
  return useResource(useCallback((signal: AbortSignal) => getAccepted(signal), [])).data;
}

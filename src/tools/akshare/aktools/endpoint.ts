import type { Endpoint } from "../../../domain/ports/sources.ts";

/** Everybody runs it at an address of their own; what stands behind it asks public services, so it is asked gently. */
export const AKTOOLS: Endpoint = {
  id: "aktools",
  owner: "akshare_search",
  hosts: ["aktools.invalid"],
  rate: { requests: 2, perMs: 1_000, concurrent: 2 },
};

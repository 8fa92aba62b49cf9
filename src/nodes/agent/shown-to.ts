import type { Shown } from "../../domain/ports/chat-model.ts";
import { createAddressFilter } from "../../evidence/address-filter.ts";
import type { AgentStateValue } from "../../graphs/agent/state.ts";

/** Readers see what the model says, without the addresses that no source has found. */
export function shownTo(state: Pick<AgentStateValue, "hits">): Shown {
  const known = knownAddresses(state);
  return { content: () => createAddressFilter(known), reasoning: () => createAddressFilter(known) };
}

/** The addresses that the sources of the run have found. */
export function knownAddresses({ hits }: Pick<AgentStateValue, "hits">): string[] {
  return [...new Set(hits.flatMap(({ url, publication }) => [url, ...(publication?.fullTextUrl ? [publication.fullTextUrl] : [])]))];
}

import type { Shown } from "../../domain/ports/chat-model.ts";
import type { TextFilter } from "../../domain/text-filter.ts";
import { createAddressFilter } from "../../evidence/address-filter.ts";
import { createMarkerFilter, inTurn } from "../../evidence/marker-filter.ts";
import { isCitation } from "../../evidence/markers.ts";
import type { AgentStateValue } from "../../graphs/agent/state.ts";
import { knownAddresses } from "../known-addresses.ts";

/** Readers see what the model says, without the addresses that no source has found and without citations that nobody has verified yet. */
export function shownTo(state: Pick<AgentStateValue, "hits" | "shown" | "task">): Shown {
  const known = knownAddresses(state);
  const prefixes = new Set(["P", ...citedPrefixes(state)]);
  const filter = (): TextFilter =>
    inTurn(
      createMarkerFilter((id, square) => isCitation(id, square, prefixes)),
      createAddressFilter(known),
    );
  return { content: filter, reasoning: filter, known };
}

/** Where sources were shown, (S3) means one of them, whether it is there or not. */
export function citedPrefixes({ shown }: Pick<AgentStateValue, "shown">): string[] {
  return shown.length > 0 ? ["S"] : [];
}

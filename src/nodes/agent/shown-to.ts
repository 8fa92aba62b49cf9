import type { Shown } from "../../domain/ports/chat-model.ts";
import type { TextFilter } from "../../domain/text-filter.ts";
import { createOutputFilter } from "../../evidence/sanitize-output.ts";
import { knownAddresses } from "../known-addresses.ts";
import type { AgentStateValue } from "./state.ts";

/** Readers see what the model says, without the addresses that no source has found and without citations that nobody has verified yet. */
export function shownTo(state: Pick<AgentStateValue, "hits" | "shown" | "task">): Shown {
  const known = knownAddresses(state);
  const filter = (): TextFilter => createOutputFilter(known, citedPrefixes(state));
  return { content: filter, reasoning: filter, known };
}

/** Where sources were shown, (S3) means one of them, whether it is there or not. */
export function citedPrefixes({ shown }: Pick<AgentStateValue, "shown">): string[] {
  return shown.length > 0 ? ["S"] : [];
}

import type { Parts } from "../../src/compose/parts.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { defineWaiting } from "./waiting-graph.ts";

/** Parts with the graph `waiting`, and the storage of the service that was opened with them. */
export function withStorage(): { readonly graphs: NonNullable<Parts["graphs"]>; stored(): Storage } {
  let opened: Storage | null = null;
  const define = (storage: Storage) => {
    opened = storage;
    return defineWaiting(storage.checkpoints);
  };
  return {
    graphs: [define],
    stored() {
      if (opened === null) throw new Error("No service was opened with these parts.");
      return opened;
    },
  };
}

import type { Hit } from "../domain/hit.ts";
import type { Read } from "./reading.ts";

export interface BegunRead<One extends Hit = Hit> {
  readonly hit: One;
  readonly reading: Promise<Read | null>;
}

/** Waits for a reading. While `keep` tells that it does not fill its place, waits for the next one. */
export async function fillPlace<One extends Hit>(
  first: BegunRead<One>,
  next: () => BegunRead<One> | null,
  keep: (hit: One, read: Read | null) => boolean,
): Promise<void> {
  for (let begun: BegunRead<One> | null = first; begun !== null; ) {
    const { hit, reading }: BegunRead<One> = begun;
    begun = keep(hit, await reading) ? null : next();
  }
}

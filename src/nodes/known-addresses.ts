import type { Hit } from "../domain/hit.ts";
import type { Task } from "../domain/request.ts";
import { addressesIn } from "../evidence/address-detection.ts";

/** The addresses that readers may be shown: those that sources have found, and those of the user's own question. */
export function knownAddresses({ task, hits }: { readonly task: Pick<Task, "question">; readonly hits: readonly Hit[] }): string[] {
  const found = hits.flatMap(({ url, publication }) => [url, ...(publication?.fullTextUrl ? [publication.fullTextUrl] : [])]);
  return [...new Set([...found, ...addressesIn(task.question)])];
}

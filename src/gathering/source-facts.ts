import type { Hit } from "../domain/hit.ts";
import { hideAddresses } from "../evidence/address-filter.ts";
import { SOURCE_KINDS } from "../evidence/source-kinds.ts";

const MAX_TITLE_LENGTH = 200;

export function titleOf({ title }: Pick<Hit, "title">): string {
  return hideAddresses(title.replace(/\s+/g, " ").slice(0, MAX_TITLE_LENGTH).toWellFormed());
}

/** Describes a source for a model in one line: `Title (publisher, date, kind, where it was found)`, without its address. */
export function describeSource(hit: Pick<Hit, "title" | "kind" | "publishedAt" | "foundBy" | "publication" | "readAt">): string {
  const { kind, publishedAt, foundBy, publication, readAt } = hit;
  const read = readAt && `read on ${readAt.slice(0, 10)}`;
  const about = [publication?.venue, publishedAt, SOURCE_KINDS[kind], foundBy, read]
    .filter((part) => part != null && part !== "")
    .join(", ");
  const line = `${publication?.retracted === true ? "RETRACTED " : ""}${titleOf(hit)} (${about})`;
  return hideAddresses(line.replace(/\s+/g, " ")).toWellFormed();
}

import type { Place } from "../../../../src/domain/document.ts";
import type { Passage, Report, Source } from "../../../../src/domain/report.ts";
import { withTextFragment } from "../../../../src/util/text-fragment.ts";
import { isWebAddress } from "../../ui/outer-link.tsx";
import { plainTitle } from "../../ui/plain-title.ts";
import { readableAddress } from "../../ui/readable-address.ts";

/** What a reader wants to know of a source. All texts come from outside. */
export interface SourceFacts {
  readonly id: string;
  readonly title: string;
  /** The venue, the host or the file. */
  readonly publisher: string;
  /** `2024`, `2024-05` or `2024-05-06`; empty if unknown. */
  readonly date: string;
  /** An http or https address; null for all others. */
  readonly href: string | null;
  /** A file of the server's folder, or one that was attached; null for all others. */
  readonly file: "corpus" | "upload" | null;
  /** Whether only what a search returned of it was read. */
  readonly isExcerpt: boolean;
  readonly retracted: boolean;
  /** Where in the file the quote stands; null if unknown, and for a source without a quote. */
  readonly place: Place | null;
}

export function factsOf({ id, title, url, publishedAt, publication, status }: Source): SourceFacts {
  const href = isWebAddress(url) ? new URL(url).href : null;
  const publisher = publication?.venue || (href === null ? readableAddress(url) : new URL(href).host.replace(/^www\./, ""));
  const date = /^\d{4}(?:-\d\d){0,2}/.exec(publishedAt ?? "")?.[0] ?? "";
  return {
    id,
    title: plainTitle(title).trim() || readableAddress(url),
    publisher,
    date,
    href,
    file: /^corpus:/i.test(url) ? "corpus" : /^upload:/i.test(url) ? "upload" : null,
    isExcerpt: status === "snippet",
    retracted: publication?.retracted === true,
    place: null,
  };
}

/** A passage with its source. `number` is null for a closest passage. */
export interface Note {
  readonly number: number | null;
  readonly passage: Passage;
  readonly source: SourceFacts;
}

/** Returns the notes of a report by citation number, in order. */
export function notesOf({ citations, sources }: Pick<Report, "citations" | "sources">): ReadonlyMap<number, Note> {
  const facts = new Map(sources.map((source) => [source.id, factsOf(source)]));
  return new Map(citations.map((citation) => [citation.id, { number: citation.id, passage: citation, source: factsFor(citation, facts) }]));
}

export function closestOf({ closest, sources }: Pick<Report, "closest" | "sources">): Note[] {
  const facts = new Map(sources.map((source) => [source.id, factsOf(source)]));
  return closest.map((passage) => ({ number: null, passage, source: factsFor(passage, facts) }));
}

function factsFor({ sourceId, place }: Passage, facts: ReadonlyMap<string, SourceFacts>): SourceFacts {
  const unknown = { id: sourceId, title: sourceId, publisher: "", date: "", href: null, file: null, isExcerpt: false, retracted: false };
  return { ...(facts.get(sourceId) ?? unknown), place: place ?? null };
}

/** The address of the quote on the original page, in browsers that know text fragments. */
export function originalAddress({ passage, source }: Note): string | null {
  return source.href === null ? null : withTextFragment(source.href, passage.quote);
}

import type { BundledDocument } from "../../domain/bundle.ts";
import { citationHolds } from "../../domain/citations.ts";
import { contentHashOf } from "../../domain/document.ts";
import type { Passage } from "../../domain/report.ts";
import type { ReadBundle } from "./read-bundle.ts";

/** A hash as faults name it. */
export const shortHash = (hash: string): string => (hash.length > 12 ? `${hash.slice(0, 12)}…` : hash);

/** What citations and closest passages point into: texts by name, and whether each is what its name says. */
export type Texts = ReadonlyMap<string, { readonly text: string | null; readonly isOwn: boolean }>;

/** The texts, and every document that is not what its name says. */
export function checkDocuments({ documents }: ReadBundle): { texts: Texts; faults: string[] } {
  const texts = new Map<string, { text: string | null; isOwn: boolean }>();
  const faults: string[] = [];
  for (const { name, value } of documents) {
    const own = faultsOfDocument(value).map((fault) => `${name} (${shortHash(value.contentHash)}): ${fault}`);
    const isSecond = texts.has(value.contentHash);
    if (isSecond) own.push(`${name} (${shortHash(value.contentHash)}): there is another one of that name`);
    faults.push(...own);
    if (!isSecond)
      texts.set(value.contentHash, { text: value.text, isOwn: value.text === null || contentHashOf(value.text) === value.contentHash });
  }
  return { texts, faults };
}

function faultsOfDocument({ text, contentHash, characters }: BundledDocument): string[] {
  if (text === null) return [];
  const hash = contentHashOf(text);
  return [
    ...(hash === contentHash ? [] : [`its text has the hash ${shortHash(hash)}`]),
    ...(text.length === characters ? [] : [`it is said to have ${characters} characters and has ${text.length}`]),
  ];
}

/** The citations that hold, by id, and why the others do not. */
export function checkCitations({ citations, sources }: ReadBundle, texts: Texts): { holding: ReadonlySet<number>; faults: string[] } {
  const holding = new Set<number>();
  const faults: string[] = [];
  const hashes = hashesOf(sources);
  for (const { name, place, value } of citations) {
    const why = whyNot(value, texts);
    if (why === null) holding.add(value.id);
    else faults.push(`${name}: ${why}`);
    if (value.id !== place) faults.push(`${name}: its id is ${value.id}, and ids count from 1 in order`);
    faults.push(...wrongSource(value, hashes).map((fault) => `${name}: ${fault}`));
  }
  return { holding, faults };
}

/** The passages of a report without an answer that do not hold. */
export function checkClosest({ closest, sources }: ReadBundle, texts: Texts): string[] {
  const hashes = hashesOf(sources);
  return closest.flatMap(({ name, value }) => {
    const why = whyNot(value, texts);
    return [...(why === null ? [] : [why]), ...wrongSource(value, hashes)].map((fault) => `${name}: ${fault}`);
  });
}

/** The document that each source was read as. */
function hashesOf(sources: ReadBundle["sources"]): ReadonlyMap<string, string | null> {
  return new Map(sources.map(({ value }) => [value.id, value.contentHash]));
}

/** Why the quote does not hold; null where it does. */
function whyNot(passage: Passage, texts: Texts): string | null {
  const { contentHash, start, end } = passage;
  const document = texts.get(contentHash);
  if (document === undefined) return `there is no document ${shortHash(contentHash)}`;
  if (document.text === null) return `the text of document ${shortHash(contentHash)} is not in the bundle`;
  if (!citationHolds(passage, document.text)) return `the quote does not stand at ${start}–${end} of document ${shortHash(contentHash)}`;
  return document.isOwn ? null : `the text of document ${shortHash(contentHash)} is not the one it was cited from`;
}

function wrongSource({ sourceId, contentHash }: Passage, hashes: ReadonlyMap<string, string | null>): string[] {
  const hash = hashes.get(sourceId);
  if (hash === undefined) return [`there is no source ${sourceId}`];
  return hash === contentHash ? [] : [`its source ${sourceId} was read as ${hash === null ? "nothing" : `document ${shortHash(hash)}`}`];
}

/** Claims that point at nothing or are called supported and are not, and a coverage that counts wrongly. */
export function checkClaims({ claims, citations, coverage }: ReadBundle, holding: ReadonlySet<number>): string[] {
  const ids = new Set(citations.map(({ value }) => value.id));
  const faults = claims.flatMap(({ name, value }) => [
    ...value.citations.filter((id) => !ids.has(id)).map((id) => `${name}: there is no citation ${id}`),
    ...(value.supported && !value.citations.some((id) => holding.has(id))
      ? [`${name}: it is called supported, and none of its citations holds`]
      : []),
  ]);
  if (coverage === null) return faults;
  const supported = claims.filter(({ value }) => value.supported).length;
  const counts = { sentences: claims.length, supported, unsupported: claims.length - supported };
  const wrong = (["sentences", "supported", "unsupported"] as const).filter((what) => coverage[what] !== counts[what]);
  return [...faults, ...wrong.map((what) => `coverage: ${what} is ${coverage[what]}, and the claims make ${counts[what]}`)];
}

/** Sources that cannot be told apart. */
export function checkSources({ sources }: ReadBundle): string[] {
  return [...Map.groupBy(sources, ({ value }) => value.id)].flatMap(([id, [, ...others]]) =>
    others.map(({ name }) => `${name}: there is another one with the id ${id}`),
  );
}

import type { BundledDocument } from "../../domain/bundle.ts";
import { citationHolds, coverageOf } from "../../domain/citations.ts";
import { contentHashOf } from "../../domain/document.ts";
import { type Claim, isChecked, NAMES_NOT_COMPARED, type Passage, SupportSchema, splitReason } from "../../domain/report.ts";
import type { ReadBundle } from "./read-bundle.ts";

const shortHash = (hash: string): string => (hash.length > 12 ? `${hash.slice(0, 12)}…` : hash);

/** The documents by their stated content hash. `hashMatches`: the text really has this hash. */
type Texts = ReadonlyMap<string, { readonly text: string | null; readonly hashMatches: boolean }>;

export function checkDocuments({ documents }: ReadBundle): { texts: Texts; faults: string[] } {
  const texts = new Map<string, { text: string | null; hashMatches: boolean }>();
  const faults: string[] = [];
  for (const { name, value } of documents) {
    const own = faultsOfDocument(value).map((fault) => `${name} (${shortHash(value.contentHash)}): ${fault}`);
    const isSecond = texts.has(value.contentHash);
    if (isSecond) own.push(`${name} (${shortHash(value.contentHash)}): there is another one of that name`);
    faults.push(...own);
    if (!isSecond)
      texts.set(value.contentHash, {
        text: value.text,
        hashMatches: value.text === null || contentHashOf(value.text) === value.contentHash,
      });
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

export function checkCitations({ citations, sources }: ReadBundle, texts: Texts): { holding: ReadonlySet<number>; faults: string[] } {
  const holding = new Set<number>();
  const faults: string[] = [];
  const hashes = hashesOf(sources);
  for (const { name, place, value } of citations) {
    const why = quoteFault(value, texts);
    if (why === null) holding.add(value.id);
    else faults.push(`${name}: ${why}`);
    if (value.id !== place) faults.push(`${name}: its id is ${value.id}, and ids count from 1 in order`);
    faults.push(...wrongSource(value, hashes).map((fault) => `${name}: ${fault}`));
  }
  return { holding, faults };
}

export function checkClosest({ closest, sources }: ReadBundle, texts: Texts): string[] {
  const hashes = hashesOf(sources);
  return closest.flatMap(({ name, value }) => {
    const why = quoteFault(value, texts);
    return [...(why === null ? [] : [why]), ...wrongSource(value, hashes)].map((fault) => `${name}: ${fault}`);
  });
}

function hashesOf(sources: ReadBundle["sources"]): ReadonlyMap<string, string | null> {
  return new Map(sources.map(({ value }) => [value.id, value.contentHash]));
}

function quoteFault(passage: Passage, texts: Texts): string | null {
  const { contentHash, start, end } = passage;
  const document = texts.get(contentHash);
  if (document === undefined) return `there is no document ${shortHash(contentHash)}`;
  if (document.text === null) return `the text of document ${shortHash(contentHash)} is not in the bundle`;
  if (!citationHolds(passage, document.text)) return `the quote does not stand at ${start}–${end} of document ${shortHash(contentHash)}`;
  return document.hashMatches ? null : `the text of document ${shortHash(contentHash)} is not the one it was cited from`;
}

function wrongSource({ sourceId, contentHash }: Passage, hashes: ReadonlyMap<string, string | null>): string[] {
  const hash = hashes.get(sourceId);
  if (hash === undefined) return [`there is no source ${sourceId}`];
  return hash === contentHash ? [] : [`its source ${sourceId} was read as ${hash === null ? "nothing" : `document ${shortHash(hash)}`}`];
}

/** Checks that the citations of claims exist, that checked claims have one that holds, and that the coverage counts the claims. */
export function checkClaims({ claims, citations, coverage, struck }: ReadBundle, holding: ReadonlySet<number>): string[] {
  const ids = new Set(citations.map(({ value }) => value.id));
  const faults = claims.flatMap(({ name, value }) => [
    ...value.citations.filter((id) => !ids.has(id)).map((id) => `${name}: there is no citation ${id}`),
    ...(isChecked(value) && !value.citations.some((id) => holding.has(id))
      ? [`${name}: it is called ${value.support}, and none of its citations holds`]
      : []),
    ...faultsOfSupport(value).map((fault) => `${name}: ${fault}`),
  ]);
  if (coverage === null) return faults;
  const values = claims.map(({ value }) => value);
  const { bySupport, struck: removed = 0, ...counts } = coverageOf(values, struck.length);
  const all = { ...counts, struck: removed };
  const wrong = (Object.keys(all) as (keyof typeof all)[]).filter((what) => (coverage[what] ?? 0) !== all[what]);
  const kinds = SupportSchema.options.filter((kind) => coverage.bySupport?.[kind] !== bySupport?.[kind]);
  return [
    ...faults,
    ...wrong.map((what) => `coverage: ${what} is ${coverage[what] ?? 0}, and the claims make ${all[what]}`),
    ...kinds.map((kind) => `coverage: ${kind} is ${coverage.bySupport?.[kind]}, and the claims make ${bySupport?.[kind]}`),
  ];
}

/** Checks that the fields of a claim's support fit each other. */
function faultsOfSupport({ support, supported, reason, expression, citations }: Claim): string[] {
  const isUncompared = support === "paraphrased" && splitReason(reason ?? "").code === NAMES_NOT_COMPARED;
  const mustBe = support === "quoted" || support === "computed";
  return [
    ...(mustBe && !supported ? [`it is called ${support}, and not supported`] : []),
    ...(supported && !mustBe && support !== "paraphrased" ? [`it is called ${support}, and supported`] : []),
    ...((support === "unverified") === (reason !== null) || isUncompared
      ? []
      : [`it is called ${support}, and has ${reason === null ? "no" : "a"} reason`]),
    ...((support === "computed") === (expression !== null)
      ? []
      : [`it is called ${support}, and has ${expression === null ? "no" : "an"} expression`]),
    ...(support === "summary" && citations.length > 0 ? ["it is called summary, and cites something"] : []),
  ];
}

export function checkSources({ sources }: ReadBundle): string[] {
  return [...Map.groupBy(sources, ({ value }) => value.id)].flatMap(([id, [, ...others]]) =>
    others.map(({ name }) => `${name}: there is another one with the id ${id}`),
  );
}

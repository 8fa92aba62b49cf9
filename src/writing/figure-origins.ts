import { type Block, leadSentences } from "../domain/blocks.ts";
import { computation, lengthOfTexts } from "../domain/computation.ts";
import type { Reading } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import { type Citation, type Claim, isChecked } from "../domain/report.ts";
import type { Task } from "../domain/task.ts";
import { type Figure, figuresOf, statesFigure } from "../evidence/stated-amounts.ts";
import { publisherSiteOf } from "../ranking/canonical-url.ts";

interface Written {
  readonly blocks: readonly Block[];
  readonly claims: readonly Claim[];
  readonly citations: readonly Citation[];
  readonly readings: readonly Reading[];
  /** The origin of each source by its id. */
  readonly origins: ReadonlyMap<string, string>;
}

const MAX_FIGURES = 20;

/**
 * Counts for each checked sentence of the lead how many independent origins state its figures, of all documents that were read. Copies
 * of one text are one origin, and so are the pages of one site. A calculated figure stands in no source and is not counted. `loadOthers`
 * loads what was read and is not among `readings`; it is called only if a figure has one origin without it.
 */
export async function countFigureOrigins(
  written: Written,
  { models }: Pick<Task, "models">,
  effects: Pick<Effects, "compute">,
  loadOthers: () => Promise<readonly Reading[]> = async () => [],
): Promise<Claim[]> {
  if (models === null) return [...written.claims];
  const counted = await effects.compute(COUNTING, written);
  if (!counted.some(({ figureOrigins }) => figureOrigins === 1)) return counted;
  const others = await loadOthers();
  if (others.length === 0) return counted;
  return effects.compute(COUNTING, { ...written, readings: [...written.readings, ...others] });
}

const COUNTING = computation(import.meta.url, countAll, ({ readings }) => lengthOfTexts(readings), 100_000);

export function countAll({ blocks, claims, citations, readings, origins }: Written): Claim[] {
  const counted = [...claims];
  const quotes = new Map(citations.map((citation) => [citation.id, citation]));
  let left = MAX_FIGURES;
  for (const index of leadSentences(blocks)) {
    const claim = claims[index];
    if (claim === undefined || !isChecked(claim) || claim.expression !== null) continue;
    const cited = claim.citations.flatMap((id) => quotes.get(id) ?? []);
    const quoted = cited.map(({ quote }) => quote);
    const figures = figuresOf(claim.text, quoted).slice(0, left);
    if (cited.length === 0 || figures.length === 0) continue;
    left -= figures.length;
    const sources = new Set(cited.map(({ sourceId }) => sourceId));
    let fewest = Number.POSITIVE_INFINITY;
    for (const figure of figures) {
      const stating = readingsThatState(figure, readings, sources);
      fewest = Math.min(fewest, countIndependent(stating, origins));
    }
    counted[index] = { ...claim, figureOrigins: Math.max(1, fewest) };
  }
  return counted;
}

function readingsThatState(figure: Figure, readings: readonly Reading[], cited: ReadonlySet<string>): Reading[] {
  const stating: Reading[] = [];
  for (const reading of readings) {
    if (cited.has(reading.hit.id) || statesFigure(reading.document.text, figure)) stating.push(reading);
  }
  return stating;
}

function countIndependent(readings: readonly Reading[], origins: ReadonlyMap<string, string>): number {
  const texts = new Set(readings.map(({ hit }) => origins.get(hit.id) ?? hit.origin));
  // The papers of one index and the filings at one address are not of one publisher.
  const publishers = new Set(readings.map(({ hit: { id, kind, url } }) => (kind === "web" ? publisherSiteOf(url) : id)));
  return Math.min(texts.size, publishers.size);
}

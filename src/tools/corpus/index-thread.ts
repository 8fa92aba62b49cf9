// Worker threads run this file for corpus.ts.
import { queryTerms } from "../../ranking/query-terms.ts";
import { type RankedText, type RankingStages, rankTexts } from "../../ranking/rank-texts.ts";
import { CorpusIndex, type IndexedFile, isDatabaseError, type Match } from "./corpus-index.ts";
import { bestSnippet } from "./sections.ts";

export interface IndexPlace {
  readonly file: string;
  readonly dir: string;
  /** Differs after the file was replaced. */
  readonly generation: number;
}

export type FoundFile = Pick<Match, "path" | "title" | "publishedAt"> & { readonly snippet: string };
export type IndexAnswer<T> = { readonly value: T } | { readonly code: string; readonly message: string };

const CANDIDATES = 200;
let opened: (IndexPlace & { readonly index: CorpusIndex }) | null = null;

export function find(task: IndexPlace & { text: string; limit: number; stages: RankingStages }): IndexAnswer<FoundFile[]> {
  return answer(task, (index) => {
    const terms = queryTerms(task.text);
    const found = index.match(terms, Math.max(task.limit, CANDIDATES)).map((match) => ({ match, ...termsOf(match) }));
    const ranked = rankTexts(task.text, found, index.statistics(), task.stages).slice(0, task.limit);
    return ranked.map(({ match: { path, title, publishedAt, sectionText } }) => {
      return { path, title, publishedAt, snippet: bestSnippet(sectionText, terms) };
    });
  });
}

export function put(task: IndexPlace & { entry: IndexedFile }): IndexAnswer<null> {
  return answer(task, (index) => {
    index.put(task.entry);
    return null;
  });
}

/** Database errors lose their class between threads, so they are returned and not thrown. */
function answer<T>(place: IndexPlace, work: (index: CorpusIndex) => T): IndexAnswer<T> {
  try {
    return { value: work(open(place)) };
  } catch (error) {
    if (isDatabaseError(error)) return { code: error.code, message: error.message };
    throw error;
  }
}

function open(place: IndexPlace): CorpusIndex {
  if (opened?.generation === place.generation) return opened.index;
  opened?.index.close();
  opened = null;
  opened = { ...place, index: new CorpusIndex(place.file, place.dir) };
  return opened.index;
}

function termsOf({ titleWords, words }: Match): RankedText {
  const split = (joined: string): string[] => (joined === "" ? [] : joined.split(" "));
  return { title: split(titleWords), body: split(words) };
}

import { isNearDuplicate, type Wording } from "./near-duplicate.ts";

/** A wording that more leaders than this share is that of a template, and finds no further ones. */
const MAX_LEADERS_PER_SHINGLE = 50;
/** Of the leaders that share wordings, those that share most are looked at closely. */
const MAX_CANDIDATES = 20;

/**
 * For each wording the index of the one it is a near-duplicate of, its own where there is none. Leaders are found in
 * the order of the list, so the best has to come first; every member is like its leader itself, not through others.
 * Time grows with the number of wordings, not its square, also where all share most of theirs.
 */
export function clusterWordings(wordings: readonly Wording[]): number[] {
  const indexes = new Map<string, LeaderIndex>();
  return wordings.map((wording, i) => {
    const index = indexes.get(wording.nameNumbers) ?? new LeaderIndex();
    indexes.set(wording.nameNumbers, index);
    const leader = index.candidates(wording).find((candidate) => isNearDuplicate(wordings[candidate] ?? wording, wording));
    if (leader === undefined) index.add(i, wording);
    return leader ?? i;
  });
}

/** Finds the leaders that share shingles or a title with a wording. */
class LeaderIndex {
  readonly #leadersByFeature = new Map<string, number[]>();

  add(leader: number, wording: Wording): void {
    for (const feature of featuresOf(wording)) {
      const leaders = this.#leadersByFeature.get(feature) ?? [];
      if (leaders.length < MAX_LEADERS_PER_SHINGLE) leaders.push(leader);
      this.#leadersByFeature.set(feature, leaders);
    }
  }

  /** At most 20, those that share most and rarest first, of equals the better one. */
  candidates(wording: Wording): number[] {
    const shared = new Map<number, number>();
    for (const feature of featuresOf(wording)) {
      const leaders = this.#leadersByFeature.get(feature) ?? [];
      // Late leaders are missing under the shingles of a template, so these must weigh little.
      for (const leader of leaders) shared.set(leader, (shared.get(leader) ?? 0) + 1 / leaders.length);
    }
    return [...shared]
      .sort(([a, weightOfA], [b, weightOfB]) => weightOfB - weightOfA || a - b)
      .slice(0, MAX_CANDIDATES)
      .map(([leader]) => leader);
  }
}

/** A space begins no shingle, so that a title is told from one. */
function featuresOf({ bodyShingles, name }: Wording): string[] {
  return name.length > 0 ? [...bodyShingles, ` ${name.join(" ")}`] : [...bodyShingles];
}

/** Characters that reverse or hold the direction of the text behind them. Marks that only tell a direction stay. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;

/** A name from outside as it is shown: no character of it turns the others around. */
export function plainTitle(title: string): string {
  return title.replaceAll(TURNS, "");
}

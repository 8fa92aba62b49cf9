/** A clause of a sentence, and what stands between it and the one before it. */
export interface Clause {
  readonly joint: string;
  readonly text: string;
}

/** The clauses that `joint` divides; of it all, nothing is lost. */
export function cutClauses(sentence: string, joint: RegExp): Clause[] {
  const clauses: Clause[] = [];
  let from = 0;
  let before = "";
  for (const found of sentence.matchAll(new RegExp(joint, `${joint.flags}g`))) {
    const text = sentence.slice(from, found.index);
    // Two joints behind each other are one.
    before = text.trim() === "" ? before + text : addTo(clauses, before, text);
    before += found[0];
    from = found.index + found[0].length;
  }
  addTo(clauses, before, sentence.slice(from));
  return clauses;
}

function addTo(clauses: Clause[], joint: string, text: string): string {
  if (text.trim() !== "") clauses.push({ joint, text: text.trim() });
  return "";
}

/**
 * Clauses as questions: the first as it stands, each other one as `resolve` reads it, or with the one before it, in the user's words, where
 * that is `"leans"`; so does then whatever follows without saying itself what it is about. Null where all stay together, or where one of
 * them may mean anything (`null`).
 * @param namesItself whether a clause needs none of those before it
 */
export function joinLeaning(
  clauses: readonly Clause[],
  first: string,
  resolve: (clause: string, before: string) => string | "leans" | null,
  namesItself: (clause: string) => boolean,
): string[] | null {
  const questions = [first];
  let leans = false;
  for (const [at, { joint, text }] of clauses.entries()) {
    if (at === 0) continue;
    const last: string = questions.at(-1) ?? first;
    const question: string | null = leans && !namesItself(text) ? "leans" : resolve(text, last);
    if (question === null) return null;
    leans = question === "leans";
    // "Which of them" may be of all that were named.
    if (leans && questions.length > 1 && namesItself(clauses[at - 1]?.text ?? "")) return null;
    if (leans) questions[questions.length - 1] = `${last.replace(/[?？]$/u, "")}${joint}${text}`;
    else questions.push(question);
  }
  return questions.length > 1 ? questions : null;
}

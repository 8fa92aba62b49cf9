/** The words of a query without the syntax of search engines, which few services read alike. */
interface PlainQuery {
  readonly text: string;
  /** What was left out, as it was written, such as `-coal` and `site:example.com`. */
  readonly operators: readonly string[];
}

const QUOTE = /"[^"]*"|“[^“”]*”|「[^「」]*」|『[^『』]*』|《[^《》]*》/u;
const WORD = /(?:[^\s()（）"“「『《])+/u;
const TOKENS = new RegExp(
  `(?<quote>${QUOTE.source})|(?<open>[(（])|(?<close>[)）])|(?<space>\\s+)|(?<word>${WORD.source})|(?<other>.)`,
  "gsu",
);

/** What follows these is no word to search for: an address, a kind of file, a day, a language. */
const CONDITIONS =
  "site|filetype|ext|mime|inurl|allinurl|url|domain|link|related|cache|after|before|daterange|lang|language|loc|location|since|until|cat|year|date";
/** What follows these is a word, to be found in a certain place. */
const PLACES = "intitle|allintitle|title|ti|intext|allintext|inbody|inanchor|allinanchor|abstract|abs|all|author|au|define";
const FIELD = new RegExp(
  `^(?:(?<condition>${CONDITIONS})|(?<place>${PLACES}))[:：](?=[^/])(?<operand>.*)$|^(?:(?<open>${CONDITIONS}|${PLACES}))[:：]$`,
  "iu",
);
/** One minus, right before what it excludes. Two begin an option such as `--force`. */
const EXCLUSION = /^[-－−](?![-－−])/u;
const LOGIC = /^(?:AND|OR|NOT|\||\|\||&&)$/;
const RANGE = /^\D?\d+\.\.\D?\d*$/u;
const NEARNESS = /^(?:AROUND|NEAR(?:\/\d+)?|WITHIN)$/;
/** A field after a word, as in PubMed: `lamp[ti]`. */
const FIELD_AFTER = /(?<=[\p{L}\p{N}"”])\[[A-Za-z][A-Za-z /:~-]{0,30}\]/gu;

type TokenKind = "quote" | "open" | "close" | "space" | "word" | "other";

interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

/**
 * Leaves out operators, and what they apply to if that is excluded or no word to search for. Words, phrases in quotation marks and
 * brackets stay. Linear in the length of the text.
 */
export function withoutOperators(text: string): PlainQuery {
  const operators: string[] = [];
  const plain = text.replaceAll(FIELD_AFTER, (field) => {
    operators.push(field);
    return " ";
  });
  const tokens = tokensOf(plain);
  const kept: string[] = [];
  for (let at = 0; at < tokens.length; ) {
    const { length, keeps } = readOperator(tokens, at);
    const piece = tokens.slice(at, at + length).map((token) => token.text);
    if (keeps === null) kept.push(...piece);
    else {
      operators.push(piece.join("").slice(0, piece.join("").length - keeps.length));
      kept.push(" ", keeps);
    }
    at += length;
  }
  return { text: kept.join("").replaceAll(/\s+/g, " ").trim(), operators: [...new Set(operators)] };
}

function tokensOf(text: string): Token[] {
  return [...text.matchAll(TOKENS)].map(({ 0: whole, groups = {} }) => {
    const kind = (["quote", "open", "close", "space", "word"] as const).find((name) => groups[name] !== undefined) ?? "other";
    return { kind, text: whole };
  });
}

/** Returns how many tokens belong to what begins here, and what of them stays if it is an operator; null if it is none. */
function readOperator(tokens: readonly Token[], at: number): { readonly length: number; readonly keeps: string | null } {
  const nothing = { length: 1, keeps: null };
  const { kind, text } = tokens[at] ?? { kind: "other", text: "" };
  const before = tokens[at - 1]?.kind;
  if (kind !== "word" || before === "word" || before === "quote" || before === "close" || before === "other") return nothing;
  if (EXCLUSION.test(text)) {
    const isDash = text.length === 1 && !isOperand(tokens[at + 1]);
    return isDash ? nothing : { length: operandEnd(tokens, text.length === 1 || endsOpen(text) ? at + 1 : at) - at, keeps: "" };
  }
  if (text === "NOT") return { length: operandEnd(tokens, skipSpace(tokens, at + 1)) - at, keeps: "" };
  if (LOGIC.test(text) || RANGE.test(text)) return { length: 1, keeps: "" };
  if (NEARNESS.test(text)) return { length: text.includes("/") ? 1 : operandEnd(tokens, at + 1, "open") - at, keeps: "" };
  const { condition, place, operand = "", open } = FIELD.exec(text)?.groups ?? {};
  if (condition !== undefined) return { length: 1, keeps: "" };
  if (place !== undefined) return { length: 1, keeps: operand };
  if (open === undefined || !isOperand(tokens[at + 1])) return nothing;
  const isPlace = new RegExp(`^(?:${PLACES})$`, "i").test(open);
  return isPlace ? { length: 1, keeps: "" } : { length: operandEnd(tokens, at + 1) - at, keeps: "" };
}

/** Whether it is a field whose operand is the next token, as in `-intitle:"whale oil"`. */
function endsOpen(text: string): boolean {
  return /[:：]$/u.test(text);
}

function isOperand(token: Token | undefined): boolean {
  return token?.kind === "quote" || token?.kind === "open";
}

function skipSpace(tokens: readonly Token[], at: number): number {
  return tokens[at]?.kind === "space" ? at + 1 : at;
}

/** Returns the index after the operand that begins at `at`: a word, a phrase, or all to the bracket that closes it. */
function operandEnd(tokens: readonly Token[], at: number, only?: TokenKind): number {
  const { kind, text } = tokens[at] ?? {};
  if (kind === undefined || (only !== undefined && kind !== only)) return at;
  if (kind === "word" && endsOpen(text ?? "") && isOperand(tokens[at + 1])) return operandEnd(tokens, at + 1);
  if (kind !== "open") return at + 1;
  let depth = 0;
  for (let end = at; end < tokens.length; end += 1) {
    if (tokens[end]?.kind === "open") depth += 1;
    else if (tokens[end]?.kind === "close") depth -= 1;
    if (depth === 0) return end + 1;
  }
  return tokens.length;
}

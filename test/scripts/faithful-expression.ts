const SCALES: Readonly<Record<string, number>> = {
  billion: 1e9,
  bn: 1e9,
  million: 1e6,
  m: 1e6,
  万亿: 1e12,
  亿: 1e8,
  万: 1e4,
  "%": 0.01,
  percent: 0.01,
  "percentage points": 0.01,
  个百分点: 0.01,
};
const AMOUNT = /(\d[\d,]*(?:\.\d+)?)\s*(billion\b|bn\b|million\b|m\b|万亿|亿|万|%|percentage points|percent\b|个百分点)?/g;
const MULTIPLES: Readonly<Record<string, number>> = {
  doubled: 2,
  tripled: 3,
  "three times": 3,
  "four times": 4,
  "half as": 0.5,
  一半: 0.5,
};

interface Amount {
  readonly value: number;
  /** Half of the last digit that is written. */
  readonly tolerance: number;
}

function amountsOf(text: string): Amount[] {
  return [...text.matchAll(AMOUNT)].map(([, digits = "", word = ""]) => {
    const scale = SCALES[word] ?? 1;
    const decimals = digits.split(".")[1]?.length ?? 0;
    return { value: Number(digits.replaceAll(",", "")) * scale, tolerance: 0.5 * 10 ** -decimals * scale };
  });
}

/** The amounts of an expression as they are written. */
export function operandsOf(expression: string): string[] {
  return tokensOf(expression).filter((token) => !/^[-+*/()]$/.test(token));
}

function tokensOf(expression: string): string[] {
  return expression
    .split(/([()+*/]|(?<=\s)-(?=\s))/)
    .map((token) => token.trim())
    .filter(Boolean);
}

/** Evaluates sums, differences, products, quotients and parentheses. Units are ignored. */
export function evaluateExpression(expression: string): number {
  const tokens = tokensOf(expression);
  const factor = (): number => {
    const token = tokens.shift() ?? "";
    if (token !== "(") return amountsOf(token)[0]?.value ?? Number.NaN;
    const value = sum();
    tokens.shift();
    return value;
  };
  const product = (): number => {
    let value = factor();
    while (tokens[0] === "*" || tokens[0] === "/") value = tokens.shift() === "*" ? value * factor() : value / factor();
    return value;
  };
  const sum = (): number => {
    let value = product();
    while (tokens[0] === "+" || tokens[0] === "-") value = tokens.shift() === "+" ? value + product() : value - product();
    return value;
  };
  return sum();
}

/**
 * Whether a sentence states the value, rounded as it is written, or as a multiple in words. The sign is ignored. Values of table cells
 * are also compared with the scales that stand in the head of their column.
 */
export function statesValue(text: string, value: number, columnScale = 1): boolean {
  const size = Math.abs(value);
  const figures = amountsOf(text).some((one) => Math.abs(one.value - size * columnScale) <= one.tolerance * 1.000001);
  return figures || Object.entries(MULTIPLES).some(([word, multiple]) => text.includes(word) && Math.abs(size / multiple - 1) < 0.03);
}

/** The scale that the head of a table column gives its cells. */
export function columnScaleOf(quotes: readonly string[]): number {
  return quotes.some((quote) => quote.includes("($ million)")) ? 1e6 : 1;
}

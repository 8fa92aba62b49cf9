import type { Arguments } from "./arguments.ts";

/** The language of rows: that of the call, so that a question in Chinese meets rows in Chinese. */
export type Wording = "en" | "zh";

/** A company as rows name it. */
export interface NamedCompany {
  readonly cik: number;
  readonly name: string;
  readonly ticker: string | null;
  /** As the call named it. */
  readonly asked: string;
}

export function wordingOf({ company = "", concepts = [], query = "" }: Arguments): Wording {
  return /\p{sc=Han}/u.test([company, query, ...concepts].join(" ")) ? "zh" : "en";
}

/** `Apple Inc. (AAPL)`, with the name that was asked for where the registered one does not hold it: `Alphabet Inc. (Google, GOOGL)`. */
export function companyLabel({ name, ticker, asked, cik }: NamedCompany, wording: Wording): string {
  const other = isOtherName(asked, name, ticker) ? asked : null;
  if (wording === "zh" && other !== null) return `${other}（${[name, ticker].filter((part) => part !== null).join("，")}）`;
  const added = [other, ticker ?? `CIK ${cik}`].filter((part) => part !== null).join(", ");
  return wording === "zh" ? `${name}（${ticker ?? `CIK ${cik}`}）` : `${name} (${added})`;
}

function isOtherName(asked: string, name: string, ticker: string | null): boolean {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
  const known = [plain(name), plain(ticker ?? "")];
  return !/^\W*(?:CIK)?[\s:#-]*\d+$/i.test(asked) && !known.some((one) => one.includes(plain(asked)));
}

/** A number as reports print it: groups of three, no more decimals than it has. */
export function printNumber(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: 6 });
}

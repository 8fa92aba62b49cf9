import type { CallContext } from "../../domain/ports/http-fetch.ts";
import { readCik } from "./cik.ts";
import type { CompanyList, ListedCompany } from "./company-list.ts";
import { findCompany } from "./find-company.ts";
import type { NamedCompany } from "./wording.ts";

/** The company, or what is to be said where it is not clear which. */
export type Resolved = { readonly company: NamedCompany } | { readonly text: string };

/** The company that a name, ticker or CIK stands for. */
export async function resolveCompany(
  asked: string,
  load: (context: CallContext) => Promise<CompanyList>,
  context: CallContext,
): Promise<Resolved> {
  const cik = readCik(asked);
  // Whoever has the number needs no list; the name comes with what is asked next.
  if (cik !== null) return { company: { cik, name: `CIK ${cik}`, ticker: null, asked } };
  const found = findCompany(asked, await load(context));
  if (found.type === "one") return { company: { ...found.company, asked } };
  if (found.type === "several")
    return {
      text: `${asked} could be several companies; ask again with the CIK or ticker of one: ${found.candidates.map(candidateLine).join("; ")}.`,
    };
  const near = found.near.length === 0 ? "" : ` Names like it: ${found.near.map(candidateLine).join("; ")}.`;
  return { text: `Among the companies with a ticker at the SEC there is no ${asked}.${near}` };
}

function candidateLine({ name, ticker, cik }: ListedCompany): string {
  return `${name} (${ticker}, CIK ${cik})`;
}

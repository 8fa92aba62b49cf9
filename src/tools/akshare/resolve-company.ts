import type { CallContext } from "../../domain/ports/http-fetch.ts";
import { DossierError } from "../../errors.ts";
import type { Arguments } from "./arguments.ts";
import type { MarketData, Security } from "./market-data.ts";
import { plainName } from "./plain-name.ts";
import { readSymbol } from "./symbol.ts";
import { firstAnswer } from "./with-fallback.ts";

/** The share that is asked about, and others that go by the same name. */
export interface Resolved {
  /** Best first; empty where there is no such share. */
  readonly shares: readonly Security[];
  readonly by: string | null;
  readonly notes: readonly string[];
}

/**
 * The share of a symbol, or the shares of a name.
 * @throws DossierError `invalid_arguments` for a symbol that no exchange gives out
 */
export async function resolveCompany(
  { symbol, name, action }: Arguments,
  services: readonly MarketData[],
  context: CallContext,
): Promise<Resolved> {
  const share = symbol === undefined ? null : readSymbol(symbol);
  if (symbol !== undefined && share === null) {
    throw new DossierError("invalid_arguments", `${symbol} is no code of a share in Shanghai, Shenzhen, Beijing or Hong Kong.`);
  }
  if (share !== null && action !== "find") return { shares: [share], by: null, notes: [] };
  const wanted = share?.code ?? withoutLegalForm(name ?? "");
  const { value, by, notes } = await firstAnswer(
    services,
    context,
    (service) => service.find(wanted, context),
    (found) => found.length > 0,
  );
  return { shares: exactFirst(value, wanted), by, notes };
}

/** 深度求索公司 is looked for as 深度求索; whole names of companies are left whole. */
function withoutLegalForm(name: string): string {
  const bare = name.replace(/(?<!有限|责任|股份)(?:公司|集团)$/, "").trim();
  return bare === "" ? name : bare;
}

function exactFirst(shares: readonly Security[], wanted: string): readonly Security[] {
  const isExact = ({ name }: Security): boolean => plainName(name ?? "") === plainName(wanted);
  return [...shares.filter(isExact), ...shares.filter((share) => !isExact(share))];
}

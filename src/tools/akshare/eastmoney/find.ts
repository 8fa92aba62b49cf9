import { z } from "zod";
import type { CallContext } from "../../../domain/ports/sources.ts";
import { readItems } from "../../services/read-answer.ts";
import type { Security } from "../market-data.ts";
import { plainName } from "../plain-name.ts";
import { readSymbol } from "../symbol.ts";
import type { EastmoneyClient } from "./client.ts";
import { readReport } from "./datacenter.ts";
import { secidOf } from "./quotes.ts";

const SuggestSchema = z.object({ QuotationCodeTable: z.object({ Data: z.array(z.unknown()).nullish() }) });
const SuggestionSchema = z.object({ Code: z.string(), Name: z.string(), QuoteID: z.string(), PinYin: z.string().nullish() });
const CompanySchema = z.object({
  SECUCODE: z.string(),
  SECURITY_NAME_ABBR: z.string().nullish(),
  ORG_NAME: z.string().nullish(),
  ORG_NAME_EN: z.string().nullish(),
  ORG_EN_ABBR: z.string().nullish(),
});

/** Every page of the site sends this one. */
const TOKEN = "D43BF722C8E33BDC906FB84D85E326E8";
const ROWS = 10;

/**
 * Shares of that name: by the search box of the site, which knows codes, short names and their initials; else by the whole
 * name of the company, Chinese or English. Only shares whose name has to do with the one asked for.
 */
export async function findSecurities(client: EastmoneyClient, name: string, context: CallContext): Promise<readonly Security[]> {
  const suggested = await suggest(client, name, context);
  if (suggested.length > 0) return suggested;
  const mainland = await companies(client, "RPT_F10_BASIC_ORGINFO", ["ORG_NAME", "ORG_NAME_EN"], name, context);
  return mainland.length > 0 ? mainland : companies(client, "RPT_HKF10_INFO_ORGPROFILE", ["ORG_NAME", "ORG_EN_ABBR"], name, context);
}

async function suggest(client: EastmoneyClient, input: string, context: CallContext): Promise<Security[]> {
  const parameters = { input, type: "14", token: TOKEN, count: String(ROWS) };
  const answer = await client.ask(SuggestSchema, "https://searchapi.eastmoney.com/api/suggest/get", parameters, context);
  return readItems("eastmoney", SuggestionSchema, answer.QuotationCodeTable.Data ?? []).flatMap((found): Security[] => {
    const share = readSymbol(found.Code);
    // Indices, funds and shares of other countries have codes of other places.
    if (share === null || secidOf(share) !== found.QuoteID) return [];
    const asked = plainName(input);
    const known = plainName(found.Name);
    const matches = known.includes(asked) || asked.includes(known) || found.PinYin?.toLowerCase() === asked || found.Code === asked;
    return matches ? [{ ...share, name: found.Name.trim() }] : [];
  });
}

async function companies(
  client: EastmoneyClient,
  report: string,
  [chinese, english]: readonly [string, string],
  name: string,
  context: CallContext,
): Promise<Security[]> {
  // Quotes and percent signs mean something in a filter.
  const wanted = name
    .replaceAll(/["'%()=\\]/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  if (wanted === "") return [];
  const filter = `(${/\p{sc=Han}/u.test(wanted) ? chinese : english} like "%${wanted}%")`;
  const columns = ["SECUCODE", "SECURITY_CODE", "SECURITY_NAME_ABBR", chinese, english].join(",");
  const rows = await readReport(client, { report, filter, columns, rows: ROWS, f10: true }, context);
  return readItems("eastmoney", CompanySchema, rows).flatMap((row): Security[] => {
    const share = readSymbol(row.SECUCODE);
    const names = [row.ORG_NAME, row.ORG_NAME_EN, row.ORG_EN_ABBR, row.SECURITY_NAME_ABBR].map((one) => plainName(one ?? ""));
    if (share === null || !names.some((one) => one.includes(plainName(wanted)))) return [];
    const wholeNames = [row.ORG_NAME, row.ORG_NAME_EN, row.ORG_EN_ABBR].flatMap((one) => one ?? []);
    const english = row.ORG_NAME_EN ?? row.ORG_EN_ABBR ?? null;
    return [{ ...share, name: row.SECURITY_NAME_ABBR ?? row.ORG_NAME ?? null, englishName: english, wholeNames }];
  });
}

import type { HttpFetch } from "../../../domain/ports/http-fetch.ts";
import type { MarketData } from "../market-data.ts";
import { readAnnouncements, readNews } from "./articles.ts";
import { createEastmoneyClient } from "./client.ts";
import { readFinancials } from "./financials.ts";
import { findSecurities } from "./find.ts";
import { readProfile } from "./profile.ts";
import { readKlines, readQuote } from "./quotes.ts";

/** Eastmoney's public addresses, which need neither a server nor a key. */
export function createEastmoney(fetch: HttpFetch): MarketData {
  const client = createEastmoneyClient(fetch);
  return {
    title: "Eastmoney",
    find: (name, context) => findSecurities(client, name, context),
    profile: (security, context) => readProfile(client, security, context),
    quote: (security, context) => readQuote(client, security, context),
    klines: (security, request, context) => readKlines(client, security, request, context),
    financials: (security, request, context) => readFinancials(client, security, request, context),
    news: (security, context) => readNews(client, security, context),
    announcements: (security, range, context) => readAnnouncements(client, security, range, context),
  };
}

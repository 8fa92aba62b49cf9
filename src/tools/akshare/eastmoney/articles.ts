import { z } from "zod";
import type { CallContext } from "../../../domain/ports/http-fetch.ts";
import { plainText } from "../../hits/plain-text.ts";
import { readItems } from "../../services/read-items.ts";
import { dayOf } from "../figures.ts";
import type { Article, DateRange, Security, Told } from "../market-data.ts";
import type { EastmoneyClient } from "./client.ts";

const NewsSchema = z.object({ result: z.object({ cmsArticleWebOld: z.array(z.unknown()).nullish() }).nullish() });
const NewsItemSchema = z.object({
  code: z.string(),
  title: z.string(),
  date: z.string().nullish(),
  mediaName: z.string().nullish(),
  content: z.string().nullish(),
});
const ROWS = 20;

/** The newest news that the site's search has for a share. */
export async function readNews(client: EastmoneyClient, { code, name, market }: Security, context: CallContext): Promise<Told<Article>> {
  const keyword = market === "hk" ? (name ?? code) : code;
  const scope = { searchScope: "default", sort: "default", pageIndex: 1, pageSize: ROWS, preTag: "", postTag: "" };
  const asked = { uid: "", keyword, type: ["cmsArticleWebOld"], client: "web", clientType: "web", clientVersion: "curr" };
  const parameters = { cb: "callback", param: JSON.stringify({ ...asked, param: { cmsArticleWebOld: scope } }) };
  const answer = await client.ask(NewsSchema, "https://search-api-web.eastmoney.com/search/jsonp", parameters, context);
  const items = readItems("eastmoney", NewsItemSchema, answer.result?.cmsArticleWebOld ?? []);
  const rows = items.map(
    (item): Article => ({
      title: plainText(item.title),
      url: `https://finance.eastmoney.com/a/${encodeURIComponent(item.code)}.html`,
      date: dayOf(item.date),
      from: item.mediaName ?? "",
      excerpt: plainText(item.content ?? ""),
      origin: "search/jsonp cmsArticleWebOld",
      file: null,
    }),
  );
  return { name, rows };
}

const AnnouncementsSchema = z.object({ data: z.object({ list: z.array(z.unknown()).nullish() }).nullish() });
const AnnouncementSchema = z.object({
  art_code: z.string(),
  title: z.string(),
  notice_date: z.string().nullish(),
  codes: z.array(z.object({ stock_code: z.string(), short_name: z.string().nullish() })).nullish(),
  columns: z.array(z.object({ column_name: z.string().nullish() })).nullish(),
});

/** The newest announcements of a company. */
export async function readAnnouncements(
  client: EastmoneyClient,
  { code, market, name }: Security,
  { start, end }: DateRange,
  context: CallContext,
): Promise<Told<Article>> {
  const parameters = {
    sr: "-1",
    page_size: String(ROWS),
    page_index: "1",
    ann_type: market === "hk" ? "H" : "A",
    client_source: "web",
    f_node: "0",
    s_node: "0",
    stock_list: code,
    ...(start === null ? {} : { begin_time: start }),
    ...(end === null ? {} : { end_time: end }),
  };
  const answer = await client.ask(AnnouncementsSchema, "https://np-anotice-stock.eastmoney.com/api/security/ann", parameters, context);
  const items = readItems("eastmoney", AnnouncementSchema, answer.data?.list ?? []);
  const rows = items.map(
    (item): Article => ({
      title: plainText(item.title),
      url: `https://data.eastmoney.com/notices/detail/${code}/${encodeURIComponent(item.art_code)}.html`,
      date: dayOf(item.notice_date),
      from: item.columns?.[0]?.column_name ?? "",
      excerpt: "",
      origin: "security/ann title",
      file: `https://pdf.dfcfw.com/pdf/H2_${encodeURIComponent(item.art_code)}_1.pdf`,
    }),
  );
  const spoken = items.flatMap(({ codes }) => codes ?? []).find(({ stock_code }) => stock_code === code)?.short_name;
  return { name: name ?? spoken ?? null, rows };
}

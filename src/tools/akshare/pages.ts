import type { Security } from "./market-data.ts";

const F10 = "https://emweb.securities.eastmoney.com";

/** The pages at which a reader finds what a service said of a share. */
export const PAGES = {
  profile: (share: Security): string => (share.market === "hk" ? hongKong(share, "CompanyProfile") : mainland(share, "gsgk")),
  financials: (share: Security): string => (share.market === "hk" ? hongKong(share, "NewFinancialAnalysis") : mainland(share, "cwfx")),
  quote: ({ code, market }: Security): string =>
    `https://quote.eastmoney.com/${market === "hk" || market === "bj" ? `${market}/${code}` : `${market}${code}`}.html`,
  kline: (share: Security): string => `${PAGES.quote(share)}#fullScreenChart`,
  news: ({ code, name }: Security): string => `https://so.eastmoney.com/news/s?keyword=${encodeURIComponent(name ?? code)}`,
  announcements: ({ code, market }: Security): string =>
    market === "hk"
      ? `https://emweb.securities.eastmoney.com/PC_HKF10/pages/home/index.html?code=${code}#/CompanyNotice`
      : `https://data.eastmoney.com/notices/stock/${code}.html`,
  find: (name: string): string => `https://so.eastmoney.com/web/s?keyword=${encodeURIComponent(name)}`,
};

function mainland({ code, market }: Security, page: string): string {
  return `${F10}/pc_hsf10/pages/index.html?type=web&code=${market.toUpperCase()}${code}&color=b#/${page}`;
}

function hongKong({ code }: Security, page: string): string {
  return `${F10}/PC_HKF10/pages/home/index.html?code=${code}&type=web&color=w#/${page}`;
}

import type { Endpoint } from "../../../domain/ports/sources.ts";

/** The pages of eastmoney.com ask these themselves; nobody has documented a limit, so this keeps to what one reader would do. */
export const EASTMONEY: Endpoint = {
  id: "eastmoney",
  owner: "akshare_search",
  hosts: [
    "searchapi.eastmoney.com",
    "push2.eastmoney.com",
    "push2his.eastmoney.com",
    "datacenter-web.eastmoney.com",
    "datacenter.eastmoney.com",
    "search-api-web.eastmoney.com",
    "np-anotice-stock.eastmoney.com",
  ],
  rate: { requests: 2, perMs: 1_000, concurrent: 2 },
};

import { DossierError } from "../../../errors.ts";

const MAINLAND_CODE = /^\d{6}$/;
const HONG_KONG_CODE = /^\d{5}$/;
const DAY = /^\d{8}$/;
const PERIOD = /^(?:daily|weekly|monthly)$/;
const ADJUST = /^(?:qfq|hfq)$/;

/**
 * The functions of akshare that are asked, and what their parameters may look like. AKTools puts what it is given into
 * Python source, so nothing that is not here leaves this program.
 */
const FUNCTIONS = {
  stock_info_a_code_name: {},
  stock_profile_cninfo: { symbol: MAINLAND_CODE },
  stock_individual_info_em: { symbol: MAINLAND_CODE },
  stock_zh_a_hist: { symbol: MAINLAND_CODE, period: PERIOD, start_date: DAY, end_date: DAY, adjust: ADJUST },
  stock_financial_abstract: { symbol: MAINLAND_CODE },
  stock_zh_a_disclosure_report_cninfo: { symbol: /^\d{5,6}$/, market: /^(?:沪深京|港股)$/, start_date: DAY, end_date: DAY },
  stock_news_em: { symbol: /^\d{5,6}$/ },
  stock_hk_company_profile_em: { symbol: HONG_KONG_CODE },
  stock_hk_hist: { symbol: HONG_KONG_CODE, period: PERIOD, start_date: DAY, end_date: DAY, adjust: ADJUST },
  stock_financial_hk_analysis_indicator_em: { symbol: HONG_KONG_CODE, indicator: /^(?:年度|报告期)$/ },
} as const satisfies Readonly<Record<string, Readonly<Record<string, RegExp>>>>;

export type AkshareFunction = keyof typeof FUNCTIONS;

/**
 * Where AKTools answers a call.
 * @throws DossierError `invalid_arguments` for a parameter that the function has not, and for a value of another form
 */
export function addressOf(name: AkshareFunction, parameters: Readonly<Record<string, string>>): URL {
  const allowed: Readonly<Record<string, RegExp>> = FUNCTIONS[name];
  const url = new URL(`https://aktools.invalid/api/public/${name}`);
  for (const [key, value] of Object.entries(parameters)) {
    const pattern = Object.hasOwn(allowed, key) ? allowed[key] : undefined;
    if (pattern?.test(value) !== true)
      throw new DossierError("invalid_arguments", `${name} is not asked with ${key} ${JSON.stringify(value)}.`);
    url.searchParams.set(key, value);
  }
  return url;
}

import { paddedCik } from "./cik.ts";
import type { Submissions } from "./schema.ts";
import { companyLabel, type NamedCompany, type Wording } from "./wording.ts";

/** How one thing is said of a company; null where its registration does not say it. */
type Say = (whose: string, submissions: Submissions) => string | null;

/** Reports on whole years, of companies in and outside the United States. */
const ANNUAL = new Set(["10-K", "20-F", "40-F"]);
const MAX_FORMER_NAMES = 3;

const ENGLISH: readonly Say[] = [
  (whose, { cik, category, name }) =>
    `${whose} is the company ${name}, registered with the SEC under the CIK ${paddedCik(cik)}${category ? ` as ${category}` : ""}`,
  (whose, submissions) => {
    const listings = listingsOf(submissions);
    return listings.length === 0 ? null : `${whose} has its shares listed as ${listings.join(", ")}`;
  },
  (whose, { sic, sicDescription }) => (sicDescription ? `${whose} is in the industry ${sicDescription} (SIC code ${sic})` : null),
  (whose, { stateOfIncorporation, stateOfIncorporationDescription }) =>
    stateOfIncorporation ? `${whose} is incorporated in ${stateOfIncorporationDescription || stateOfIncorporation}` : null,
  (whose, { fiscalYearEnd }) => (fiscalYearEnd ? `${whose} ends its fiscal year on ${monthAndDay(fiscalYearEnd)} (month and day)` : null),
  (whose, submissions) => {
    const address = addressOf(submissions);
    return address === "" ? null : `${whose} has its headquarters and business address at ${address}`;
  },
  (whose, { website, phone }) => {
    const ways = [website, phone].filter((way) => way);
    return ways.length === 0 ? null : `${whose} can be reached at ${ways.join(", ")}`;
  },
  (whose, submissions) => {
    const names = formerNamesOf(submissions).map(({ name, to }) => `${name} (until ${to})`);
    return names.length === 0 ? null : `${whose} was formerly named ${names.join(", ")}`;
  },
  (whose, submissions) => {
    const report = latestAnnual(submissions);
    return (
      report &&
      `${whose} filed its latest annual report, form ${report.form}, on ${report.filedAt} for the period to ${report.end} (accession ${report.accession})`
    );
  },
];

const CHINESE: readonly Say[] = [
  (whose, { cik, category, name }) =>
    `${whose}在美国证监会登记的公司名称是 ${name}，CIK 为 ${paddedCik(cik)}${category ? `，类别为 ${category}` : ""}`,
  (whose, submissions) => {
    const listings = listingsOf(submissions);
    return listings.length === 0 ? null : `${whose}的上市地和股票代码是 ${listings.join("、")}`;
  },
  (whose, { sic, sicDescription }) => (sicDescription ? `${whose}所属行业为 ${sicDescription}（SIC 代码 ${sic}）` : null),
  (whose, { stateOfIncorporation, stateOfIncorporationDescription }) =>
    stateOfIncorporation ? `${whose}的注册地是 ${stateOfIncorporationDescription || stateOfIncorporation}` : null,
  (whose, { fiscalYearEnd }) => (fiscalYearEnd ? `${whose}的财年截止日为 ${monthAndDay(fiscalYearEnd)}（月-日）` : null),
  (whose, submissions) => {
    const address = addressOf(submissions);
    return address === "" ? null : `${whose}的总部和营业地址是 ${address}`;
  },
  (whose, { website, phone }) => {
    const ways = [website, phone].filter((way) => way);
    return ways.length === 0 ? null : `${whose}的联系方式是 ${ways.join("、")}`;
  },
  (whose, submissions) => {
    const names = formerNamesOf(submissions).map(({ name, to }) => `${name}（至 ${to}）`);
    return names.length === 0 ? null : `${whose}的曾用名是 ${names.join("、")}`;
  },
  (whose, submissions) => {
    const report = latestAnnual(submissions);
    return (
      report &&
      `${whose}最近一份年度报告是 ${report.filedAt} 提交的 ${report.form}，报告期截至 ${report.end}（accession ${report.accession}）`
    );
  },
];

/** What a company's registration says of it, each thing as a statement that can be quoted alone. */
export function profileRows(company: NamedCompany, submissions: Submissions, wording: Wording): string[] {
  const whose = companyLabel(company, wording);
  return (wording === "zh" ? CHINESE : ENGLISH).flatMap((say) => say(whose, submissions) ?? []);
}

function listingsOf({ tickers, exchanges }: Submissions): string[] {
  return (tickers ?? []).flatMap((ticker, i) => (ticker ? [exchanges?.[i] ? `${ticker} (${exchanges[i]})` : ticker] : []));
}

function addressOf({ addresses }: Submissions): string {
  const { street1, street2, city, stateOrCountryDescription, stateOrCountry, zipCode } = addresses?.business ?? {};
  return [street1, street2, city, stateOrCountryDescription || stateOrCountry, zipCode].filter((part) => part).join(", ");
}

function formerNamesOf({ formerNames }: Submissions): { name: string; to: string }[] {
  return (formerNames ?? []).slice(0, MAX_FORMER_NAMES).map(({ name, to }) => ({ name, to: to?.slice(0, 10) ?? "?" }));
}

function latestAnnual({ filings: { recent } }: Submissions): { form: string; filedAt: string; end: string; accession: string } | null {
  const i = recent.form.findIndex((form) => ANNUAL.has(form));
  const [form, filedAt, end, accession] = [recent.form[i], recent.filingDate[i], recent.reportDate[i], recent.accessionNumber[i]];
  return form && filedAt && end && accession ? { form, filedAt, end, accession } : null;
}

/** `0927` as `09-27`. */
function monthAndDay(text: string): string {
  return text.replace(/^(\d{2})(\d{2})$/, "$1-$2");
}

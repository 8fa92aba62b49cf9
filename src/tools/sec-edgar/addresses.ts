import { paddedCik } from "./cik.ts";

const DATA = "https://data.sec.gov";

export const TICKERS_URL = "https://www.sec.gov/files/company_tickers.json";
export const SEARCH_URL = "https://efts.sec.gov/LATEST/search-index";

export function submissionsUrl(cik: number): string {
  return `${DATA}/submissions/CIK${paddedCik(cik)}.json`;
}

/** @param name as `filings.files` of the submissions has it */
export function olderPageUrl(name: string): string {
  return `${DATA}/submissions/${encodeURIComponent(name)}`;
}

export function companyFactsUrl(cik: number): string {
  return `${DATA}/api/xbrl/companyfacts/CIK${paddedCik(cik)}.json`;
}

export function companyConceptUrl(cik: number, tag: string): string {
  return `${DATA}/api/xbrl/companyconcept/CIK${paddedCik(cik)}/${tag.replace(":", "/")}.json`;
}

/** @param unit as facts spell it; a fraction is spelt with `-per-` here */
export function frameUrl(tag: string, unit: string, period: string): string {
  return `${DATA}/api/xbrl/frames/${tag.replace(":", "/")}/${unit.replace("/", "-per-")}/${period}.json`;
}

/** The list of a company's filings, for readers. */
export function companyPageUrl(cik: number): string {
  return `https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=${paddedCik(cik)}`;
}

/** A file of a filing. */
export function documentUrl(cik: number, accession: string, name: string): string {
  return `https://www.sec.gov/Archives/edgar/data/${cik}/${accession.replaceAll("-", "")}/${name.split("/").map(encodeURIComponent).join("/")}`;
}

/** The first page of a filing, for readers. */
export function filingUrl(cik: number, accession: string): string {
  return `https://www.sec.gov/Archives/edgar/data/${cik}/${accession.replaceAll("-", "")}/${accession}-index.htm`;
}

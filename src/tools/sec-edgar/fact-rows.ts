import { FIGURES } from "../../domain/companies/figures.ts";
import type { FiscalPeriod } from "./fiscal-periods.ts";
import type { SelectedFact } from "./select-facts.ts";
import { companyLabel, type NamedCompany, printNumber, type Wording } from "./wording.ts";

/** One value as a statement that can be quoted alone: what, of whom, when, how much, in which unit, and out of which filing. */
export function factRow(selected: SelectedFact, company: NamedCompany, wording: Wording): string {
  const { fact, tag, unit, period, before } = selected;
  const value = `${printNumber(fact.val)} ${unitLabel(unit)}`;
  const restated = before === null ? [] : [`earlier reported as ${printNumber(before.val)} in ${before.accn}`];
  const origin = [tag, fact.form ?? "", `accession ${fact.accn}`, `filed ${fact.filed}`, ...restated].filter((part) => part !== "");
  const dates = fact.start ? [fact.start, fact.end] : [fact.end];
  const whose = companyLabel(company, wording);
  const what = conceptLabel(selected, wording);
  if (wording === "zh") return `${whose}，${what}，${chinesePeriod(period)}（${dates.join(" 至 ")}）：${value}（${origin.join("，")}）`;
  return `${whose}, ${what}, ${englishPeriod(period)} (${dates.join(" to ")}): ${value} (${origin.join(", ")})`;
}

/** The plain name, with the words of the call where they are others. */
export function conceptLabel({ concept: { name, surface } }: Pick<SelectedFact, "concept">, wording: Wording): string {
  const own = wording === "zh" ? (FIGURES.find((figure) => figure.name === name)?.chinese ?? name) : name;
  if (own.toLowerCase() === surface.toLowerCase() || own.includes(surface)) return own;
  return wording === "zh" ? `${surface}（${own}）` : `${own} (${surface})`;
}

function englishPeriod({ year, quarter }: FiscalPeriod): string {
  return quarter === null ? `fiscal year ${year}` : `quarter ${quarter} (Q${quarter}) of fiscal year ${year}`;
}

function chinesePeriod({ year, quarter }: FiscalPeriod): string {
  return quarter === null ? `${year}财年` : `${year}财年第${quarter}季度`;
}

function unitLabel(unit: string): string {
  return unit.replace("/shares", " per share");
}

import { explain, explainPeriod } from "./glossary.ts";
import type { Article, Figure, Security, Statement } from "./market-data.ts";
import { labelOf } from "./symbol.ts";

/**
 * A row as a whole statement: of whom, when, what in Chinese and in English, how much of which unit, and where from. As in
 * `贵州茅台 (600519) 2023-12-31 (2023年 年报, annual report) 营业总收入 (total operating revenue): 150,560,330,316.45 元
 * (RPT_LICO_FN_CPD TOTAL_OPERATE_INCOME)`.
 */
export function statementRow(security: Security, { date, period, figures, origin }: Statement): string {
  const when = [...(date === null ? [] : [date]), ...(period === "" ? [] : [`(${explainPeriod(period)})`])];
  const what = figures.length === 1 ? figures.map(spellAlone) : [`: ${figures.map(spell).join(", ")}`];
  return `${[labelOf(security), ...when].join(" ")}${what.join("")} (${origin})`;
}

function spellAlone({ column, value, unit }: Figure): string {
  return ` ${explain(column)}: ${[value, unit].filter((part) => part !== "").join(" ")}`;
}

function spell({ column, value, unit }: Figure): string {
  return `${explain(column)} ${[value, unit].filter((part) => part !== "").join(" ")}`;
}

/** A row of a list of publications. */
export function articleRow(security: Security, { title, url, date, from, excerpt, origin }: Article): string {
  const about = [date, from].filter((part) => part !== null && part !== "").join(", ");
  return `${labelOf(security)} ${title}${about === "" ? "" : ` (${about})`}${excerpt === "" ? "" : `: ${excerpt}`} ${url} (${origin})`;
}

import type { ToolResult, ToolSource } from "../../domain/tool.ts";
import { cutText, rowText } from "../services/text.ts";
import { explain, explainPeriod } from "./glossary.ts";
import type { Article, Figure, Security, Statement, Told } from "./market-data.ts";
import { labelOf } from "./symbol.ts";
import type { Answered } from "./with-fallback.ts";

/** What an answer is about: as in `financial figures (财务摘要)`, and the page where a reader finds it. */
export interface Topic {
  readonly english: string;
  readonly chinese: string;
  readonly page: string;
}

const SNIPPET = 300;
/** Articles that are read themselves, not only listed. */
const READ_ARTICLES = 5;

/** Rows as text for a model and as a document that can be cited row by row. */
export function tellStatements(asked: Security, topic: Topic, answered: Answered<Told<Statement>>): ToolResult {
  const security = named(asked, answered.value);
  const rows = answered.value.rows.map((row) => statementRow(security, row));
  if (rows.length === 0) return nothing(security, topic, answered);
  return { text: heading(security, topic, answered, rows), sources: [documentOf(security, topic, answered, rows)] };
}

/** A list of publications as a document, and the newest of them as places to be read. */
export function tellArticles(asked: Security, topic: Topic, answered: Answered<Told<Article>>): ToolResult {
  const security = named(asked, answered.value);
  const rows = answered.value.rows.map((row) => articleRow(security, row));
  if (rows.length === 0) return nothing(security, topic, answered);
  const articles = answered.value.rows.slice(0, READ_ARTICLES).map(
    ({ title, url, file, date, excerpt }): ToolSource => ({
      title,
      url: file ?? url,
      publishedAt: date,
      snippet: excerpt,
      text: null,
      kind: "web",
    }),
  );
  return { text: heading(security, topic, answered, rows), sources: [documentOf(security, topic, answered, rows), ...articles] };
}

function named(security: Security, { name }: Told<unknown>): Security {
  return { ...security, name: security.name ?? name };
}

function documentOf(security: Security, topic: Topic, answered: Answered<Told<Statement | Article>>, rows: readonly string[]): ToolSource {
  const newest = answered.value.rows
    .flatMap(({ date }) => date?.slice(0, 10) ?? [])
    .toSorted()
    .at(-1);
  const { text, blocks } = rowText(rows);
  return {
    title: `${labelOf(security)}: ${topic.chinese} (${topic.english}), ${answered.by}`,
    url: topic.page,
    publishedAt: newest ?? null,
    snippet: cutText(text, SNIPPET),
    text,
    kind: "market",
    blocks,
  };
}

function heading(security: Security, topic: Topic, { by, notes }: Answered<unknown>, rows: readonly string[]): string {
  return [...notes, `${labelOf(security)}: ${topic.english} (${topic.chinese}) from ${by}, ${rows.length} rows.`, ...rows].join("\n");
}

function nothing(security: Security, topic: Topic, { by, notes }: Answered<unknown>): ToolResult {
  const text = [...notes, `${by} looked and has no ${topic.english} of ${labelOf(security)} for this request.`].join("\n");
  return { text, sources: [] };
}

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
function articleRow(security: Security, { title, url, date, from, excerpt, origin }: Article): string {
  const about = [date, from].filter((part) => part !== null && part !== "").join(", ");
  return `${labelOf(security)} ${title}${about === "" ? "" : ` (${about})`}${excerpt === "" ? "" : `: ${excerpt}`} ${url} (${origin})`;
}

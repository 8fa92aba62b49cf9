import type { ToolResult, ToolSource } from "../../domain/tool.ts";
import { cutText } from "../hits/cut-text.ts";
import { rowText } from "../hits/row-text.ts";
import type { Article, Security, Statement, Told } from "./market-data.ts";
import { articleRow, statementRow } from "./statement-row.ts";
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

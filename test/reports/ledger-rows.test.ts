import { expect, it } from "vitest";
import type { LedgerEntry } from "../../src/domain/report.ts";
import { labelsFor } from "../../src/reports/labels.ts";
import { ledgerRows } from "../../src/reports/view/ledger-rows.ts";

const searched = (target: string): LedgerEntry => ({
  ...{ what: "search", source: "corpus", target, outcome: "found", results: 4, failure: null, detail: null, ms: 2 },
});
const places = (entries: LedgerEntry[]) => ledgerRows(entries, 10, labelsFor("en").labels).rows.map(([, place]) => place);

it("gives the query of each search, also of a single one", () => {
  expect(places([searched("Who built the pier?"), searched("谁建造了灯塔？")])).toEqual([
    "corpus: “Who built the pier?”",
    "corpus: “谁建造了灯塔？”",
  ]);
  expect(places([searched("灯塔"), { ...searched("灯塔"), source: "wiki" }])).toEqual(["corpus: “灯塔”", "wiki: “灯塔”"]);
  const [long] = places([searched("x".repeat(300))]);
  expect(long).toBe(`corpus: “${"x".repeat(160)}…”`);
});

it.each([
  ["en", "corpus: zh/灯塔.md", "read"],
  ["zh", "corpus：zh/灯塔.md", "已读取"],
])("names a file by its path, and says in %s that it was read", (language, place, outcome) => {
  const entry: LedgerEntry = { ...searched("corpus:zh/%E7%81%AF%E5%A1%94.md"), what: "download", results: 1 };
  expect(ledgerRows([entry], 10, labelsFor(language).labels).rows).toEqual([[expect.any(String), place, outcome]]);
});

it("gives kinds, language and dates of a query, what of it was left out, and whether it was rewritten", () => {
  const dated = { ...searched("basalt"), asked: { kinds: ["scholar", "web"], language: "en", from: "2025-01-01", to: "2025-12-31" } };
  const dropped = { ...searched("basalt"), asked: { kinds: ["filing"], askedAll: true as const, unused: ["2025-02-30 [1]"] } };
  const general = { ...searched("年报"), asked: { kinds: ["filing"], askedGeneral: true as const } };
  expect(places([dated, dropped, general, { ...searched("玄武岩"), asked: { rewritten: true } }])).toEqual([
    "corpus: “basalt” (papers, web; in en; from 2025-01-01; to 2025-12-31)",
    "corpus: “basalt” (filings; no source of this kind, so all were asked; left out: 2025-02-30 1 )",
    "corpus: “年报” (filings; no source of this kind, so the general ones were asked)",
    "corpus: “玄武岩” (rewritten, because the first queries found nothing relevant)",
  ]);
  const { rows } = ledgerRows([dated, dropped], 10, labelsFor("zh").labels);
  expect(rows.map(([, place]) => place)).toEqual([
    "corpus：“basalt”（论文，网页；语言 en；自 2025-01-01；至 2025-12-31）",
    "corpus：“basalt”（公司公告；没有这类来源，因此查找了所有来源；未采用：2025-02-30 1 ）",
  ]);
});

it.each([
  ["en", "could not be read: it was not read, because the run had no download left"],
  ["zh", "未能读取：没有读取，因为可用的下载次数已经用完"],
])("says in plain words of %s that no download was left", (language, outcome) => {
  const entry: LedgerEntry = { ...searched("https://a.test/"), what: "download", outcome: "failed", failure: "download_cap" };
  expect(ledgerRows([entry], 10, labelsFor(language).labels).rows[0]?.[2]).toBe(outcome);
});

import { describe, expect, it } from "vitest";
import { verifyClaims } from "../../../src/domain/citations.ts";
import { readCitedText } from "../../../src/evidence/cited-text.ts";
import type { Evidence } from "../../../src/evidence/quote-location.ts";
import { verifyBundle } from "../../../src/reports/bundle/verify-bundle.ts";
import { cleanPart, createCleaner } from "../../../src/writing/clean-text.ts";
import { seeded } from "../../helpers/seeded.ts";
import { below, bundleOf, documentOf, PROGRAM, reportOf } from "./random-bundle.ts";

const ENGLISH = documentOf(
  `Kestrel said revenue of $27.2 billion in fiscal 2024 compared with $24.1 billion a year earlier. The margin widened to 13.7% from 12.2%,
or 1.5 percentage points. It employs 41.5 thousand people [7]. Shares of Kestrel GR-7 rose in March 2024.

Sales by region, in millions

| Region | Sales ($ million) | Share (%) |
| --- | --- | --- |
| Norland | 92.4 | 62 |
| Sudland | 37.5 | 25 |`,
  "Kestrel results 2024",
  "https://36news.example/kestrel",
);
const CHINESE = documentOf(
  "公司2024年营业收入为272亿元，上年同期为241亿元。毛利率由12.2%升至13.7%，提高1.5个百分点。员工4.15万人。",
  "年度报告",
  "https://example.org/nianbao",
);
const DOCUMENTS = [ENGLISH, CHINESE];
const EVIDENCE = new Map<string, Evidence>(
  DOCUMENTS.map(({ text, title, contentHash }, index) => [
    `P${index + 1}`,
    { id: `P${index + 1}`, sourceId: `S${index}`, title, contentHash, text, start: 0, end: text.length },
  ]),
);
const QUESTION = "Did Kestrel make a loss of $5 billion, and what is its outlook for 2025 after GX-3? 2025年前景如何？";
const KNOWN = [ENGLISH.url ?? "", CHINESE.url ?? ""];

/** Writes a report as the service does: reads the text, cleans it and numbers its citations. */
function write(text: string) {
  const written = readCitedText(text, EVIDENCE, { known: [QUESTION, "36news.example"], addresses: KNOWN });
  const cleaner = createCleaner({ evidence: EVIDENCE, known: KNOWN, question: QUESTION });
  const { claims, blocks } = cleanPart(written, cleaner) ?? { claims: [], blocks: [] };
  const texts = new Map(DOCUMENTS.map((document) => [document.contentHash, document.text]));
  return verifyClaims({ claims, blocks, citations: written.citations, struck: written.struck.map(cleaner.struck) }, (hash) =>
    texts.get(hash),
  );
}

async function faultsOf(text: string): Promise<readonly string[]> {
  const { claims, citations, blocks, struck } = write(text);
  const report = reportOf(claims, citations, DOCUMENTS, { blocks, struck });
  return verifyBundle(Buffer.from(await bundleOf(report, DOCUMENTS, { question: QUESTION })), PROGRAM).faults;
}

const REVENUE = '[P1: "revenue of $27.2 billion in fiscal 2024 compared with $24.1 billion"]';
const table = (head: string, ...rows: string[]): string =>
  [`| ${head} |`, `|${" --- |".repeat(head.split("|").length)}`, ...rows].join("\n");

const UNITS: readonly (readonly [head: string, row: string])[] = [
  ["Revenue ($bn)", `27.2 ${REVENUE}`],
  ["Revenue (USD million)", `27,200 ${REVENUE}`],
  ["Revenue in $ million", `27,200 ${REVENUE}`],
  ["Revenue, $bn", `27.2 ${REVENUE}`],
  ["Revenue [$bn]", `27.2 ${REVENUE}`],
  ["Margin (%)", '13.7 [P1: "margin widened to 13.7%"]'],
  ["Margin, %", '13.7 [P1: "margin widened to 13.7%"]'],
  ["Jobs (thousand)", '41.5 [P1: "employs 41.5 thousand people"]'],
  ["Jobs (thousands of people)", '41.5 [P1: "employs 41.5 thousand people"]'],
  ["Change (percentage points)", '1.5 [P1: "or 1.5 percentage points"]'],
  ["数额(亿元)", '272 [P2: "营业收入为272亿元"]'],
  ["数额（亿元）", '272 [P2: "营业收入为272亿元"]'],
  ["单位：亿元", '272 [P2: "营业收入为272亿元"]'],
  ["人数（万人）", '4.15 [P2: "员工4.15万人"]'],
  ["提高（个百分点）", '1.5 [P2: "提高1.5个百分点"]'],
];

describe("a number of a report's table has the unit of its column", () => {
  it.each(UNITS)("%s", async (head, row) => {
    const text = `${table(head, `| ${row} |`)}\n\nAs shown, it is in the table.`;
    expect(write(text).claims[0]).toMatchObject({ reason: null, support: expect.stringMatching(/^(?:quoted|paraphrased)$/) });
    expect(await faultsOf(text)).toEqual([]);
  });

  it.each([
    ["Revenue ($bn)", `Revenue ($bn) | 27.2 ${REVENUE}`],
    ["Margin (%)", 'Margin (%) | 13.7 [P1: "margin widened to 13.7%"]'],
    ["利润率", '毛利率（%） | 13.7 [P2: "毛利率由12.2%升至13.7%"]'],
    ["营收", '营收：亿元 | 272 [P2: "营业收入为272亿元"]'],
  ])("or of its row: %s", async (_, row) => {
    const text = table("What | 2024", `| ${row} |`);
    expect(write(text).claims[0]).toMatchObject({ reason: null, support: "paraphrased" });
    expect(await faultsOf(text)).toEqual([]);
  });

  it("or of the head of its labels", async () => {
    const text = table("单位：亿元 | 2024 | 比率（%）", '| 营收 | 272 | 13.7 [P2: "营业收入为272亿元"] [P2: "升至13.7%"] |');
    expect(write(text).claims[0]).toMatchObject({ reason: null, support: "paraphrased" });
    expect(await faultsOf(text)).toEqual([]);
  });

  it.each([
    ["Revenue ($ million)", `27.2 ${REVENUE}`],
    ["Revenue (EUR billion)", `27.2 ${REVENUE}`],
    ["Revenue in € billion", `27.2 ${REVENUE}`],
    ["Change (%)", '1.5 [P1: "or 1.5 percentage points"]'],
    ["数额（万元）", '272 [P2: "营业收入为272亿元"]'],
  ])("which may contradict its quote: %s", (head, row) => {
    const { claims, struck } = write(table(head, `| ${row} |`));
    expect([claims.filter(({ support }) => support !== "unverified"), struck.length]).toEqual([[], 1]);
  });
});

const HEADINGS = [
  ...["Outlook for 2025", "Revenue in 2024", "Margin of 13.7%", "2.1 Debt", "3. Results", "Part 1", "Step 2: Sales", "Chapter Two"],
  ...[
    "A loss of $5 billion",
    "第二章",
    "二、毛利率",
    "（三）2025年前景",
    "Revenue of $27.2 billion",
    "After GX-3",
    "毛利率升至13.7%",
    "营收272亿元",
  ],
];
const SENTENCES = [
  `Revenue was $27.2 billion. ${REVENUE}`,
  `Revenue rose by 12.9%, or $3.1 billion. ${REVENUE} [= ($27.2 billion - $24.1 billion) / $24.1 billion] [= 27.2 - 24.1]`,
  `Revenue rose by 12.9%. ${REVENUE} [= (27.2 / 24.1 - 1) * 100%]`,
  'The margin widened to 13.7% from 12.2%. [P1: "The margin widened to 13.7% from 12.2%"]',
  'It employs 41.5 thousand people. [P1: "It employs 41.5 thousand people [7]."]',
  'Norland had sales of $92.4 million. [P1: "| Norland | 92.4 | 62 |"]',
  '36news wrote of GR-7. [P1: "Shares of Kestrel GR-7 rose in March 2024"]',
  '2024年营业收入为272亿元。[P2: "2024年营业收入为272亿元"]',
  '毛利率提高1.5个百分点。[P2: "提高1.5个百分点"]',
  "In sum, revenue was $27.2 billion.",
  "总之，毛利率为13.7%。",
  "It lost $5 billion.",
  'It lost $6 billion. [P1: "Kestrel lost $6 billion"]',
];
const SUMS = ["27.2", "13.7", "41.5", "272", "1.5"];

function randomText(random: () => number): string {
  const pick = <T>(items: readonly T[]): T => items[below(random, items.length)] as T;
  const some = (): string[] => Array.from({ length: 1 + below(random, 3) }, () => pick(SENTENCES));
  const parts = Array.from({ length: 2 + below(random, 8) }, () => {
    const [head, row] = pick(UNITS);
    return pick([
      `${"#".repeat(1 + below(random, 3))} ${pick(HEADINGS)}`,
      `## ${pick(HEADINGS)}`,
      some().join(" "),
      some()
        .map((one) => `- ${one}`)
        .join("\n"),
      some()
        .map((one, i) => `${i + 1}. ${one}`)
        .join("\n"),
      table(head, `| ${row} |`, `| ${pick(SUMS)} |`),
      table(`What | ${head}`, `| One | ${row} |`, `| All | ${pick(SUMS)} |`),
      table("What | 2024 | 2025", `| ${head} | ${row} | |`),
    ]);
  });
  return parts.join("\n\n");
}

it.each(Array.from({ length: 60 }, (_, i) => i))("a report that was read and not changed verifies: %i", async (seed) => {
  const text = randomText(seeded(seed));
  expect(await faultsOf(text), text).toEqual([]);
});

it("a table of thousands of amounts verifies, and what sums it up", async () => {
  const rows = Array.from(
    { length: 150 },
    () =>
      '| 27.2 | 24.1 | 12.2 | 13.7 | 1.5 [P1: "revenue of $27.2 billion in fiscal 2024 compared with $24.1 billion"] [P1: "The margin widened to 13.7% from 12.2%,\nor 1.5 percentage points"] |',
  );
  const head = "A ($bn) | B ($bn) | C (%) | D (%) | E (percentage points)";
  const text = `## A\n\n${table(head, ...rows)}\n\n## B\n\nIt employs 41.5 thousand people. [P1: "employs 41.5 thousand people"]\n\nSo 41.5 thousand.\n\n## C\n\nEnd.`;
  expect(write(text).coverage.bySupport).toMatchObject({ paraphrased: 151, summary: 2 });
  expect(await faultsOf(text)).toEqual([]);
});

describe("a report that was changed does not verify:", () => {
  const TEXT = [
    `## Revenue of $27.2 billion\n\n${SENTENCES[1]}`,
    `## Table\n\n${table("What | Revenue ($bn)", `| All | 27.2 ${REVENUE} |`)}\n\nIn sum, revenue was $27.2 billion.`,
  ].join("\n\n");

  it.each([
    ["the unit of a column", "Revenue ($bn)", "Revenue ($ million)", "claim 2: it says what none of its quotes says: 27.2 million"],
    ["the currency of a column", "Revenue ($bn)", "Revenue (€bn)", "claim 2: it says what none of its quotes says: 27.2bn"],
    ["a cell", "All | 27.2", "All | 28.2", "claim 2: it says what none of its quotes says: 28.2bn"],
    ["a heading", "Revenue of $27.2 billion", "Revenue of $5 billion", "block 1: it says what no checked sentence says: 5 billion"],
    ["a result", "rose by 12.9%", "rose by 13.9%", "claim 1: it says what none of its quotes says: 13.9%"],
    ["an operand", "27.2 - 24.1", "27.2 - 25.1", "claim 1: it says what none of its quotes says: 3.1 billion"],
    ["a sum", "In sum, revenue was $27.2", "In sum, revenue was $29.2", "claim 3: it says what no checked sentence says: 29.2 billion"],
  ])("%s", async (_, before, after, fault) => {
    const { claims, citations, blocks } = write(TEXT);
    expect(claims.map(({ support }) => support)).toEqual(["computed", "paraphrased", "summary"]);
    const text = await bundleOf(reportOf(claims, citations, DOCUMENTS, { blocks }), DOCUMENTS, { question: QUESTION });
    const changed = text.replaceAll(before, after);
    expect(changed).not.toBe(text);
    expect(verifyBundle(Buffer.from(changed), PROGRAM).faults).toContain(fault);
  });
});

describe("a heading", () => {
  const SECTION = 'Shares rose in March 2024. [P1: "Shares of Kestrel GR-7 rose in March 2024"]';
  const supportOf = (heading: string, below = SECTION): unknown => write(`${heading}\n\n${below}`).blocks[0];

  it.each(["## A loss of $5 billion", "## $5 billion", "## Loss: 5 billion"])("has no amount of the question: %s", async (heading) => {
    expect(supportOf(heading)).toMatchObject({ support: "unverified", reason: expect.stringMatching(/^amount_not_in_sentences: /) });
    expect(await faultsOf(`${heading}\n\n${SECTION}`)).toEqual([]);
  });

  it.each(["## Outlook for 2025", "## 2025年前景"])("may have a year of the question: %s", (heading) => {
    expect(supportOf(heading)).toMatchObject({ support: "summary" });
  });

  it.each([
    ["## Revenue in 2024", `Revenue was $27.2 billion. ${REVENUE}`],
    ["## Margin of 13.7%", 'The margin widened. [P1: "The margin widened to 13.7% from 12.2%"]'],
    ["## Sales of $92.4 million", 'Norland leads. [P1: "| Norland | 92.4 | 62 |"]'],
  ])("may have a figure of the quotes below it: %s", (heading, below) => {
    expect(supportOf(heading, below)).toMatchObject({ support: "summary" });
    expect(supportOf(heading, `${SECTION}\n\n## Other\n\nNone.`)).toMatchObject({ text: heading.slice(3) });
  });

  it.each(["2.1 Debt", "2.1. Debt", "3. Results", "Part 1", "Step 2", "第二章", "二、债务", "十二、债务", "（三）债务", "2.1 债务"])(
    "may be numbered: %s",
    (heading) => {
      expect(supportOf(`## ${heading}`)).toMatchObject({ text: heading, support: null });
    },
  );

  it.each(["2.1 million lost", "2.1 Million Lost", "2.1 Percent Less", "2.1亿元债务", "Twelve Lost"])(
    "with an amount at its beginning is not numbered: %s",
    (heading) => {
      expect(supportOf(`## ${heading}`)).toMatchObject({ text: heading, support: "unverified" });
    },
  );
});

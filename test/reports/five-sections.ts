import type { LedgerEntry } from "../../src/domain/report.ts";
import type { Outline } from "./report-builder.ts";

const LEDGER: LedgerEntry[] = [
  ["search", "web", "Northwind Energy storage revenue 2025", "found", 9, null],
  ["search", "corpus", "Northwind Energy storage revenue 2025", "nothing", 0, null],
  ["search", "openalex", "grid battery degradation", "found", 4, null],
  ["download", "web", "https://www.northwind-energy.example/investors/annual-2025", "found", 1, null],
  ["download", "web", "https://gridpost.example/2026/02/northwind-results", "found", 1, null],
  ["download", "web", "https://paywall.example/analysis", "failed", 0, "paywalled"],
].map(
  ([what, source, target, outcome, results, failure]) =>
    ({ what, source, target, outcome, results, failure, detail: null, ms: 120 }) as LedgerEntry,
);

const PAPER = {
  authors: ["Ana Núñez", "Li Wei", "Jo Smith", "Pia Roth"],
  ...{ doi: "10.5555/cells.2025.17", arxivId: null, pmid: null, venue: "Journal of Grid Storage", licence: null, retracted: false },
  fullTextUrl: null,
};

/** Five sections in English: figures in headings, a lead, paragraphs, a table, a numbered list, a nested list and a computed comparison. */
export const ENGLISH: Outline = {
  question: "How did Northwind Energy's storage business develop in 2025, and what limits it?",
  language: "en",
  pages: [
    {
      title: "Northwind Energy Annual Report 2025",
      url: "https://www.northwind-energy.example/investors/annual-2025",
      publishedAt: "2026-02-19",
      text: `Northwind Energy, annual report 2025.\n\nRevenue of the storage segment rose to $27.2 billion in 2025, from $24.1 billion in 2024. The segment's operating margin was 11.4% in 2025, after 9.8% in 2024. Northwind commissioned 14.6 GWh of grid batteries in 2025. In 2024 it commissioned 11.9 GWh. The order backlog stood at $41 billion at year-end. Europe contributed $9.3 billion of storage revenue, North America $12.5 billion and Asia-Pacific $5.4 billion. The company expects capital expenditure of $3.8 billion in 2026. Transformer deliveries take between 80 and 120 weeks. Management regards grid connection as the main constraint on growth.`,
    },
    {
      title: "Northwind's batteries outgrow its turbines",
      url: "https://gridpost.example/2026/02/northwind-results",
      publishedAt: "2026-02-20",
      text: "For the first time the storage arm earned more than the turbine division. Analysts at Harrow & Lyle had expected revenue of $26.5 billion. Three of the company's seven largest projects wait for a grid connection. Lithium carbonate cost 38% less than a year before.",
    },
    {
      title: "Capacity fade of grid-scale LFP cells under daily cycling",
      url: "https://doi.org/10.5555/cells.2025.17",
      publishedAt: "2025-06-03",
      text: "Cells lost 6.1% of their capacity after 2,000 full cycles at 25 °C. At 40 °C the loss was 10.7%. The loss slows after the first 500 cycles.",
      publication: PAPER,
    },
  ],
  parts: [
    [
      ["Northwind's storage segment earned $27.2 billion in 2025, and its margin widened to 11.4%.", []],
      ["Slow grid connections and transformers that take 80 to 120 weeks limit it more than demand does.", []],
    ],
    "## 1. Revenue rose to $27.2 billion",
    [
      [
        "Revenue of the storage segment rose to $27.2 billion in 2025, from $24.1 billion in 2024.",
        ["Revenue of the storage segment rose to $27.2 billion in 2025, from $24.1 billion in 2024."],
      ],
      [
        "That is $3.1 billion more than the year before.",
        ["Revenue of the storage segment rose to $27.2 billion in 2025, from $24.1 billion in 2024."],
        { support: "computed", expression: "$27.2 billion - $24.1 billion" },
      ],
      [
        "It beat the forecast of Harrow & Lyle, who had expected $26.5 billion.",
        ["Analysts at Harrow & Lyle had expected revenue of $26.5 billion."],
        { support: "paraphrased" },
      ],
    ],
    "### Revenue by region",
    {
      head: ["Region", "Storage revenue 2025", "Share"],
      rows: [
        [
          ["North America", "$12.5 billion", "46%"],
          [
            "Europe contributed $9.3 billion of storage revenue, North America $12.5 billion and Asia-Pacific $5.4 billion.",
            "Revenue of the storage segment rose to $27.2 billion in 2025, from $24.1 billion in 2024.",
          ],
          { support: "computed", expression: "$12.5 billion / $27.2 billion" },
        ],
        [
          ["Europe", "$9.3 billion", "34%"],
          [
            "Europe contributed $9.3 billion of storage revenue, North America $12.5 billion and Asia-Pacific $5.4 billion.",
            "Revenue of the storage segment rose to $27.2 billion in 2025, from $24.1 billion in 2024.",
          ],
          { support: "computed", expression: "$9.3 billion / $27.2 billion" },
        ],
        [
          ["Asia-Pacific", "$5.4 billion", ""],
          ["Europe contributed $9.3 billion of storage revenue, North America $12.5 billion and Asia-Pacific $5.4 billion."],
          { support: "paraphrased" },
        ],
      ],
    },
    "## 2. Margin up 1.6 points, to 11.4%",
    [
      [
        "The segment's operating margin was 11.4% in 2025, after 9.8% in 2024.",
        ["The segment's operating margin was 11.4% in 2025, after 9.8% in 2024."],
      ],
      [
        "It widened by 1.6 percentage points.",
        ["The segment's operating margin was 11.4% in 2025, after 9.8% in 2024."],
        { support: "computed", expression: "11.4% - 9.8%" },
      ],
      [
        "Cheaper lithium helped: the carbonate cost 38% less than a year before.",
        ["Lithium carbonate cost 38% less than a year before."],
        { support: "paraphrased", supported: true },
      ],
      [
        "For the first time the storage arm earned more than the turbine division.",
        ["For the first time the storage arm earned more than the turbine division."],
      ],
    ],
    "## 3. What was built: 14.6 GWh",
    {
      items: [
        [0, ["Northwind commissioned 14.6 GWh of grid batteries in 2025.", ["Northwind commissioned 14.6 GWh of grid batteries in 2025."]]],
        [1, ["In 2024 it commissioned 11.9 GWh.", ["In 2024 it commissioned 11.9 GWh."]]],
        [
          1,
          [
            "2025 brought 2.7 GWh more.",
            ["Northwind commissioned 14.6 GWh of grid batteries in 2025.", "In 2024 it commissioned 11.9 GWh."],
            { support: "computed", expression: "14.6 GWh - 11.9 GWh" },
          ],
        ],
        [0, ["The order backlog stood at $41 billion at year-end.", ["The order backlog stood at $41 billion at year-end."]]],
      ],
    },
    "## 4. What limits growth",
    [["Management names the main constraint, and the market reports name others.", []]],
    {
      start: 1,
      items: [
        [
          0,
          [
            "Grid connection is the main constraint.",
            ["Management regards grid connection as the main constraint on growth."],
            { support: "paraphrased" },
          ],
          [
            "Three of the seven largest projects wait for one.",
            ["Three of the company's seven largest projects wait for a grid connection."],
            { support: "paraphrased" },
          ],
        ],
        [0, ["Transformer deliveries take between 80 and 120 weeks.", ["Transformer deliveries take between 80 and 120 weeks."]]],
        [
          0,
          [
            "Cells age: they lost 6.1% of their capacity after 2,000 full cycles at 25 °C, and 10.7% at 40 °C.",
            ["Cells lost 6.1% of their capacity after 2,000 full cycles at 25 °C.", "At 40 °C the loss was 10.7%."],
            { support: "paraphrased" },
          ],
        ],
      ],
    },
    "## 5. Outlook for 2026",
    [
      [
        "The company expects capital expenditure of $3.8 billion in 2026.",
        ["The company expects capital expenditure of $3.8 billion in 2026."],
      ],
      ["Orders should exceed $50 billion by summer.", [], { support: "unverified", supported: false, reason: "no_citation" }],
    ],
  ],
  answers: "partly",
  missing: ["Storage revenue by customer", "The share of projects delayed by transformers"],
  struck: [
    { text: "The margin of the turbine division fell to 4%.", reason: "quote_not_found" },
    { text: "Capital expenditure will be €3.8 billion.", reason: "currency_contradicted: €3.8 billion" },
  ],
  ledger: LEDGER,
};

/** The same in Chinese, with other facts. */
export const CHINESE: Outline = {
  question: "海岳储能2025年的业务进展如何，主要受什么限制？",
  language: "zh",
  pages: [
    {
      title: "海岳储能股份有限公司2025年年度报告",
      url: "https://www.haiyue-storage.example/reports/2025",
      publishedAt: "2026-03-28",
      text: "海岳储能2025年年度报告。\n\n报告期内公司实现营业收入132.6亿元，上年为108.4亿元。综合毛利率为21.3%，上年为18.9%。全年新增并网储能装机9.2吉瓦时，上年为6.5吉瓦时。其中华东地区收入58.1亿元，西北地区收入43.7亿元，海外收入30.8亿元。公司计划2026年资本开支为17亿元。变压器交付周期为40至60周。公司认为并网排队是业务增长的主要制约因素。",
    },
    {
      title: "储能企业年报观察：海岳的毛利率从何而来",
      url: "https://dianwang.example/2026/04/haiyue",
      publishedAt: "2026-04-02",
      text: "碳酸锂价格较上年同期下降三成。海岳七个大型项目中有三个仍在等待并网。分析师此前预计其收入为126亿元。",
    },
    {
      title: "储能电芯循环寿命测试 Cycle life of LFP cells",
      url: "https://doi.org/10.5555/cells.2025.17",
      publishedAt: "2025-06-03",
      text: "在25摄氏度下循环2000次后，电芯容量损失6.1%。在40摄氏度下损失为10.7%。",
      publication: PAPER,
    },
  ],
  parts: [
    [
      ["海岳储能收入为132.6亿元，毛利率升至21.3%。", []],
      ["限制它的主要是并网排队和40至60周的变压器交付周期，而不是需求。", []],
    ],
    "## 一、收入增至132.6亿元",
    [
      ["报告期内公司实现营业收入132.6亿元，上年为108.4亿元。", ["报告期内公司实现营业收入132.6亿元，上年为108.4亿元。"]],
      [
        "收入比上年多24.2亿元。",
        ["报告期内公司实现营业收入132.6亿元，上年为108.4亿元。"],
        { support: "computed", expression: "132.6亿元 - 108.4亿元" },
      ],
      ["这高于分析师此前预计的126亿元。", ["分析师此前预计其收入为126亿元。"], { support: "paraphrased" }],
    ],
    "### 分地区收入",
    {
      head: ["地区", "2025年收入", "占比"],
      rows: [
        [
          ["华东", "58.1亿元", "43.8%"],
          ["其中华东地区收入58.1亿元，西北地区收入43.7亿元，海外收入30.8亿元。", "报告期内公司实现营业收入132.6亿元，上年为108.4亿元。"],
          { support: "computed", expression: "58.1亿元 / 132.6亿元" },
        ],
        [
          ["西北", "43.7亿元", "33.0%"],
          ["其中华东地区收入58.1亿元，西北地区收入43.7亿元，海外收入30.8亿元。", "报告期内公司实现营业收入132.6亿元，上年为108.4亿元。"],
          { support: "computed", expression: "43.7亿元 / 132.6亿元" },
        ],
        [["海外", "30.8亿元", ""], ["其中华东地区收入58.1亿元，西北地区收入43.7亿元，海外收入30.8亿元。"], { support: "paraphrased" }],
      ],
    },
    "## 二、毛利率上升2.4个百分点",
    [
      [
        "毛利率由18.9%升至21.3%，上升2.4个百分点。",
        ["综合毛利率为21.3%，上年为18.9%。"],
        { support: "computed", expression: "21.3% - 18.9%" },
      ],
      ["碳酸锂价格下降三成，降低了成本。", ["碳酸锂价格较上年同期下降三成。"], { support: "paraphrased", supported: true }],
    ],
    "## 三、新增装机9.2吉瓦时",
    {
      items: [
        [0, ["全年新增并网储能装机9.2吉瓦时，上年为6.5吉瓦时。", ["全年新增并网储能装机9.2吉瓦时，上年为6.5吉瓦时。"]]],
        [
          1,
          [
            "新增量比上年多2.7吉瓦时。",
            ["全年新增并网储能装机9.2吉瓦时，上年为6.5吉瓦时。"],
            { support: "computed", expression: "9.2吉瓦时 - 6.5吉瓦时" },
          ],
        ],
      ],
    },
    "## 四、主要限制",
    [["公司和媒体一共提到三项限制。", []]],
    {
      start: 1,
      items: [
        [
          0,
          ["并网排队是主要制约因素。", ["公司认为并网排队是业务增长的主要制约因素。"], { support: "paraphrased" }],
          ["七个大型项目中有三个仍在等待并网。", ["海岳七个大型项目中有三个仍在等待并网。"]],
        ],
        [0, ["变压器交付周期为40至60周。", ["变压器交付周期为40至60周。"]]],
        [
          0,
          [
            "电芯会老化：在25摄氏度下循环2000次后容量损失6.1%，40摄氏度下损失10.7%。",
            ["在25摄氏度下循环2000次后，电芯容量损失6.1%。", "在40摄氏度下损失为10.7%。"],
            { support: "paraphrased" },
          ],
        ],
      ],
    },
    "## 五、2026年展望",
    [
      ["公司计划2026年资本开支为17亿元。", ["公司计划2026年资本开支为17亿元。"]],
      ["预计夏季前新签订单超过80亿元。", [], { support: "unverified", supported: false, reason: "no_citation" }],
    ],
  ],
  answers: "partly",
  missing: ["按客户划分的收入", "因变压器而延期的项目比例"],
  struck: [{ text: "公司2026年资本开支为17亿美元。", reason: "currency_contradicted: 17亿美元" }],
  ledger: LEDGER,
};

/** The first eight sentences of paragraphs of an outline, or a few less, as an answer without headings. */
export function shortAnswer(outline: Outline): Outline {
  const [lead = [], ...rest] = outline.parts.filter((part) => Array.isArray(part));
  return { ...outline, parts: [lead, ...rest.slice(0, 2)].map((part, index) => (index === 2 ? part.slice(1) : part)) };
}

/** A text that a model could write about `document`, and what must become of it. */
export interface WrittenReport {
  readonly question: string;
  readonly document: string;
  readonly title: string;
  /** Markdown with markers of the passage P1, without the closing lines. */
  readonly text: string;
  /** A sentence whose quote is invented. It stands in `text`. */
  readonly invented: string;
  readonly missing: string;
  readonly blocks: readonly string[];
  readonly headings: readonly string[];
  readonly head: readonly string[];
  /** The kinds of support in order. */
  readonly support: readonly string[];
  readonly expression: string;
  /** Both are paraphrased. */
  readonly denied: string;
}

const BLOCKS = ["paragraph", "heading", "paragraph", "table", "heading", "numbered-list"];
/** A row does not say whose revenue it is, so its words are not the quote's. */
const SUPPORT = ["quoted", "computed", "paraphrased", "paraphrased", "paraphrased", "quoted", "paraphrased"];

export const WRITTEN_REPORTS: readonly WrittenReport[] = [
  {
    question: "How did the revenue of Northwind develop, and what is its outlook?",
    document:
      "Northwind reported revenue of $27.2 billion in fiscal 2024. Northwind had revenue of $24.1 billion in fiscal 2023.\n\nNorthwind opened 14 stores in Norway during 2024. The company says that 3,100 people work in its stores.\n",
    title: "northwind.txt",
    text: `Northwind reported revenue of $27.2 billion in fiscal 2024. [P1: "Northwind reported revenue of $27.2 billion in fiscal 2024"] That was $3.1 billion more than a year before. [P1: "revenue of $27.2 billion in fiscal 2024"] [P1: "revenue of $24.1 billion in fiscal 2023"] [= $27.2 billion - $24.1 billion]

## Revenue of 2024

Sales brought Northwind $27.2 billion. [P1: "revenue of $27.2 billion in fiscal 2024"]

| Revenue | Year |
| --- | --- |
| revenue of $27.2 billion | fiscal 2024 [P1: "revenue of $27.2 billion in fiscal 2024"] |
| revenue of $24.1 billion | fiscal 2023 [P1: "revenue of $24.1 billion in fiscal 2023"] |

## Part 2

1. Northwind opened 14 stores in Norway during 2024. [P1: "Northwind opened 14 stores in Norway during 2024"]
2. It went bankrupt in May. [P1: "Northwind went bankrupt in May"]
3. Its shops employ 3,100 people. [P1: "3,100 people work in its stores"]`,
    invented: "It went bankrupt in May.",
    missing: "the outlook",
    blocks: BLOCKS,
    headings: ["Revenue of 2024", "Part 2"],
    head: ["Revenue", "Year"],
    support: SUPPORT,
    expression: "$27.2 billion - $24.1 billion",
    denied: "Sales brought Northwind $27.2 billion.",
  },
  {
    question: "北风公司的收入如何变化？前景怎样？",
    document:
      "北风公司2024财年的收入为272亿元。北风公司2023财年的收入为241亿元。\n\n北风公司2024年在挪威开设了14家门店。公司表示，其门店共有3100名员工。\n",
    title: "北风.txt",
    text: `北风公司2024财年的收入为272亿元。[P1：“北风公司2024财年的收入为272亿元”] 比上一年多31亿元。[P1：“2024财年的收入为272亿元”] [P1：“2023财年的收入为241亿元”] [= 272亿元 - 241亿元]

## 2024年的收入

这一年北风卖出了272亿元。[P1：“2024财年的收入为272亿元”]

| 年份 | 收入 |
| --- | --- |
| 2024财年 | 收入为272亿元 [P1：“2024财年的收入为272亿元”] |
| 2023财年 | 收入为241亿元 [P1：“2023财年的收入为241亿元”] |

## 第二部分

1. 北风公司2024年在挪威开设了14家门店。[P1：“北风公司2024年在挪威开设了14家门店”]
2. 该公司五月破产。[P1：“北风公司五月破产清算”]
3. 店里共雇用3100人。[P1：“其门店共有3100名员工”]`,
    invented: "该公司五月破产。",
    missing: "前景",
    blocks: BLOCKS,
    headings: ["2024年的收入", "第二部分"],
    head: ["年份", "收入"],
    support: SUPPORT,
    expression: "272亿元 - 241亿元",
    denied: "这一年北风卖出了272亿元。",
  },
];

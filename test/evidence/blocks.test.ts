import { describe, expect, it } from "vitest";
import { readCitedText } from "../../src/evidence/cited-text.ts";
import { passages } from "./evidence-of.ts";

const TEXT = "The tower is 90 metres tall. It was built in 1931. | Revenue | 12.5 | 11.0 |\n这座灯塔高九十米。";
const EVIDENCE = passages(TEXT);

/** Returns the blocks with the texts of their sentences in place of the indices. */
function read(text: string) {
  const { blocks, claims } = readCitedText(text, EVIDENCE);
  const texts = (sentences: readonly number[]): string[] => sentences.map((index) => claims[index]?.text ?? "?");
  return blocks.map((block) => {
    if (block.kind === "heading") return [block.kind, block.level, block.text];
    if (block.kind === "paragraph") return [block.kind, ...texts(block.sentences)];
    if (block.kind === "code") return [block.kind, block.text];
    if (block.kind === "table") return [block.kind, block.head, ...texts(block.rows)];
    const items = block.items.map(({ level, number = [], sentences }) => [number, level, ...texts(sentences)].flat());
    return block.kind === "list" ? [block.kind, ...items] : [block.kind, block.start, ...items];
  });
}

describe("the blocks of a report", () => {
  it("keep headings with figures, and their order", () => {
    expect(read("Lead.\n# Part 1\nOne. Two.\n\nThree.\n## Outlook for 2020\n**Bold heading**\n四。")).toEqual([
      ["paragraph", "Lead."],
      ["heading", 1, "Part 1"],
      ["paragraph", "One.", "Two."],
      ["paragraph", "Three."],
      ["heading", 2, "Outlook for 2020"],
      ["heading", 3, "Bold heading"],
      ["paragraph", "四。"],
    ]);
  });

  it("keep the levels and numbers of lists", () => {
    const text = "- a\n  - b\n    - c\n- d\n\n  more of d\n\n3. e\n   - f\n4. g\n\n1、一\n2、二";
    expect(read(text)).toEqual([
      ["list", [0, "a"], [1, "b"], [2, "c"], [0, "d", "more of d"]],
      ["numbered-list", 3, [0, "e"], [1, "f"], [0, "g"], [0, "一"], [0, "二"]],
    ]);
  });

  it("keep the sentences and lists of a quotation together", () => {
    expect(read("So:\n> To be\n> > or not.\n> It is.\n>\n> 1. a\n> 2. b\n\nEnd > all.")).toEqual([
      ["paragraph", "So:"],
      ["paragraph", "To be or not.", "It is."],
      ["numbered-list", 1, [0, "a"], [0, "b"]],
      ["paragraph", "End > all."],
    ]);
  });

  it("keep tables, and cite the cells of a row together", () => {
    const table = [
      "| What | 2025 | Source |",
      "| :--- | ---: | --- |",
      '| Revenue | 12.5 | [P1: "| Revenue | 12.5 | 11.0 |"] |',
      '| 高 | 九十米 | [P1: "高九十米"] |',
    ];
    expect(read(`${table.join("\n")}\n\nEnd.`)).toEqual([
      ["table", ["What", "2025"], "Revenue | 12.5", "高 | 九十米"],
      ["paragraph", "End."],
    ]);
    const { claims } = readCitedText(table.join("\n"), EVIDENCE);
    expect(claims.map(({ citations }) => citations)).toEqual([[1], [2]]);
    expect(read("a | b\n--- | ---\nc | d \\| e")).toEqual([["table", ["a", "b"], "c | d|e"]]);
    expect(read("表1：利润\n公司 | 利润\n--- | ---\n三和 | 100")).toEqual([
      ["paragraph", "表1：利润"],
      ["table", ["公司", "利润"], "三和 | 100"],
    ]);
    expect(read("Profits:\n| Firm | Profit |\n| Trio | 1.0 |\nEnd.")).toEqual([
      ["paragraph", "Profits:"],
      ["paragraph", "Firm | Profit"],
      ["paragraph", "Trio | 1.0"],
      ["paragraph", "End."],
    ]);
  });

  it("keep code as it is written, and do not judge it", () => {
    expect(read("```\n# a = 1;\n  b | c;\n\n```\nOne.\n~~~\nsee https://evil.example/x\n---\n~~~")).toEqual([
      ["code", "# a = 1;\n  b | c;\n"],
      ["paragraph", "One."],
      ["code", "see https://evil.example/x\n---"],
    ]);
    const { claims, struck } = readCitedText('```\nIt cost $5 billion. [P9: "x"]\n```\n', EVIDENCE);
    expect([claims, struck]).toEqual([[], []]);
  });

  it.each([
    ["```ts", "ts"],
    ["~~~~  c++ {1,3}", "c++"],
    ["```<b>", undefined],
    ["~~~ a`b", undefined],
    [`\`\`\`${"x".repeat(21)}`, undefined],
  ])("have the language that a fence names: %s", (fence, language) => {
    const { blocks } = readCitedText(`${fence}\na = 1;\n${/^[`~]+/.exec(fence)?.[0]}`, EVIDENCE);
    expect(blocks).toEqual([{ kind: "code", text: "a = 1;", language }]);
  });

  it.each([
    ["**A is b. *C* is d.** E is ***f*** and *g\nh*.", ["A is b.", "C is d.", "E is f and g h."]],
    ["这是**重点：**内容，**“好”**。收入**$5**亿。", ["这是重点：内容，“好”。", "收入$5亿。"]],
    ["**See https://evil.test/a.** Next.", ["Next."]],
    ["Pass **kwargs and *args, or f(*args,**kwargs), to __init__ of obj.__init__ and `**x**`.", null],
    ["It is x**2 + y**2, 2*3*4, \\*a\\* or 5* and _so_.", null],
  ])("lose the marks of emphasis, and no other sign: %j", (text, sentences) => {
    expect(read(text)).toEqual([["paragraph", ...(sentences ?? [text])]]);
  });

  it.each(["Read matrix[i][j] and lst[0], not [a][b].", "JSX has <br/>, and <sub> or </sup> is `<sub>`."])("keep %j", (text) => {
    expect(read(text)).toEqual([["paragraph", text]]);
  });

  it("lose links to known places, pairs of tags for small letters, and breaks in cells", () => {
    expect(read("CO<sub>2</sub> of 10<SUP>6</SUP> [t](#a).\n\n| <br> | `<br>` |\n| --- | --- |\n| a<br />b | c<br>d |")).toEqual([
      ["paragraph", "CO2 of 10⁶ t."],
      ["table", ["", "`<br>`"], "a b | c d"],
    ]);
  });

  it("end emphasis with the cell or the item that it stands in", () => {
    expect(read("| *a | b* |\n| --- | --- |\n| **c\\|d** | `*e | f*` |\n\n- *g\n- **h***")).toEqual([
      ["table", ["*a", "b*"], "c|d | `*e | f*`"],
      ["list", [0, "*g"], [0, "h*"]],
    ]);
  });

  it.each(["```js", "~~~", "````"])("judge what follows a fence %s that nothing closes", (fence) => {
    const text = `One.\n\n${fence}\nIt is 90 metres tall. [P1: "90 metres tall"]\n\n高九十米。[P1：「灯塔高九十米」] 它是粉色的。[P9: "粉色"]`;
    expect(read(text)).toEqual([
      ["paragraph", "One."],
      ["paragraph", "It is 90 metres tall."],
      ["paragraph", "高九十米。"],
    ]);
    const { claims, struck } = readCitedText(text, EVIDENCE);
    expect([claims.map(({ citations }) => citations), struck.length]).toEqual([[[], [1], [2]], 1]);
  });

  it("leave out empty code, rules, notes, empty headings, and what is struck", () => {
    expect(read('```\n\n```\nOne.\n\n---\n[^1]: A note.\n\n## Empty\n\n## Struck\nPink. [P9: "x"]\n\n## Left\nTwo.')).toEqual([
      ["paragraph", "One."],
      ["heading", 2, "Struck"],
      ["paragraph"],
      ["heading", 2, "Left"],
      ["paragraph", "Two."],
    ]);
  });

  it("have no citations in their texts, wherever these stand", () => {
    const cited =
      'It is tall [P1: "90 metres tall"], and old [P1: "built in 1931"] [= 90 - 1].\n[P1: "这座灯塔"]\n\n高九十米[P1：「灯塔高九十米」]。';
    expect(read(cited)).toEqual([
      ["paragraph", "It is tall, and old."],
      ["paragraph", "高九十米。"],
    ]);
  });
});

it("marks headings and heads of tables whose figures stand in no checked sentence", () => {
  const { blocks } = readCitedText(
    '## Since 1931\nIt dates from 1931. [P1: "built in 1931"]\n\n## Since 1840\n| Year 1850 |\n| --- |\n| x |\n\n## Tall\nIt is tall. [P1: "90 metres tall"]',
    EVIDENCE,
  );
  const labels = blocks.flatMap((block) => (block.kind === "heading" || block.kind === "table" ? [[block.support, block.reason]] : []));
  expect(labels).toEqual([
    ["summary", null],
    ["unverified", "amount_not_in_sentences: 1840"],
    ["unverified", "amount_not_in_sentences: 1850"],
    [null, null],
  ]);
});

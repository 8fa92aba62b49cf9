import { describe, expect, it } from "vitest";
import { AnswerSchema, readResult } from "../../../src/tools/mcp/read-result.ts";

const CALLED = { offered: { server: "mcp:x", tool: "t", kind: "query" as const }, args: {}, maxCharacters: 50_000 };
const read = (answer: object) => readResult(AnswerSchema.parse(answer), CALLED);
const text = (words: string) => ({ type: "text", text: words });
const HTML = '<x-a title="塔"><script>1</script><a href="https://example.org/?a=1&b=2">x</a></x-a>\r\n';
const CHART = { type: "component", component: "chart", props: { bars: [1, 2] } };
const CARD = { type: "webcomponent", html: HTML, untrusted: true };
const LIST = [text("一。"), CHART, { type: "webcomponent", html: HTML }, text("二。")];
const SHOWN = [text("一。"), CHART, CARD, text("二。")];

describe("an answer with components", () => {
  it.each([
    ["in its blocks", { content: LIST }],
    ["in a text", { content: [text(JSON.stringify(LIST))] }],
    ["in a fence", { content: [text(`\`\`\`json\n${JSON.stringify(LIST)}\n\`\`\``)] }],
    ["in structured content alone", { content: [], structuredContent: { content: LIST } }],
    [
      "in structured content and again as text",
      { content: [text(JSON.stringify({ content: LIST }))], structuredContent: { content: LIST } },
    ],
  ])("%s keeps all in order, for the reader and for the model", (_, answer) => {
    const { content, text: told, sources } = read(answer);
    expect(content).toEqual(SHOWN);
    expect(told).toContain("一。");
    for (const words of [told, sources[0]?.text]) expect(words).toContain(`shown to the reader: ${HTML.trim()})`);
  });

  it.each([
    [
      { type: "webcomponent", tag: "x-a", props: {}, html: HTML },
      { ...CARD, tag: "x-a" },
    ],
    [{ type: "webcomponent", component: "Chart", value: HTML }, CARD],
    [
      { type: "webcomponent", component: "x-a", props: { bars: [1, 2] } },
      { type: "webcomponent", tag: "x-a", props: { bars: [1, 2] } },
    ],
    [{ type: "webcomponent", props: { html: HTML } }, CARD],
    [{ type: "webcomponent", webcomponent: HTML, untrusted: false }, CARD],
    [{ type: "component", component: "webcomponent", props: { html: HTML } }, CARD],
    [
      { type: "webcomponent", tag: "x-a" },
      { type: "webcomponent", tag: "x-a", props: {} },
    ],
    [{ type: "component", component: "chart", bars: [1, 2] }, CHART],
    [{ type: "component", name: "chart", props: { bars: [1, 2] } }, CHART],
  ])("is read in every notation: %j", (block, item) => {
    expect(read({ content: [block] }).content).toEqual([item]);
  });

  it("keeps everything beside an item that is odd, too large or too deep, and says that the item was there", () => {
    let deep: unknown = 1;
    for (let i = 0; i < 3_000; i++) deep = { a: deep };
    const odd = { type: "image", data: "AAAA", mimeType: "image/png" };
    const large = { type: "component", component: "table", props: { rows: "x".repeat(25_000) } };
    const { content, text: told } = read({ content: [odd, CHART, large, { ...CHART, props: { deep } }, text("End.")] });
    expect(content?.map((item) => ("text" in item ? item.text : item.type))).toEqual([
      "(image of type image/png, not shown)",
      "component",
      "(a component, too large to be shown)",
      "(component, not shown)",
      "End.",
    ]);
    expect(told).not.toContain("component table, shown");
    expect(read({ content: [text(JSON.stringify([odd, CHART]))] }).content?.map(({ type }) => type)).toEqual(["text", "component"]);
  });

  it.each([
    [
      "a page with blocks of its own",
      { id: 7, title: "Tower", height_m: 41, content: [{ type: "component", component: "hero", heading: "Welcome" }] },
    ],
    ["a part of software", { type: "component", name: "libssl", version: "1.1" }],
    ["a list of parts", [{ type: "component", name: "Button", docs: "x".repeat(3_000) }]],
    ["a component that is too large to show", [{ type: "component", component: "table", props: { rows: "x".repeat(25_000) } }]],
    ["a long list", Array.from({ length: 60_000 }, () => ({ type: "component", component: "x" }))],
    ["rows with a type", Array.from({ length: 60_000 }, (_, a) => ({ type: "row", name: "x", a }))],
  ])("that is %s stays text", (_, json) => {
    const words = JSON.stringify(json);
    const { content, text: told } = read({ content: [text(words)] });
    expect([content, told]).toEqual([undefined, words.slice(0, CALLED.maxCharacters)]);
  });

  it("has at most 100 items", () => {
    const { content } = read({ content: Array.from({ length: 20_000 }, () => CHART) });
    expect(content).toHaveLength(101);
    expect(content?.at(-1)).toEqual(text("(900 further items, not shown)"));
  });
});

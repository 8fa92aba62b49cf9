import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf } from "../fakes/model-server/seen-request.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { answering, makeFolder, writeServers } from "../helpers/mcp-servers.ts";
import { startService } from "../helpers/start-service.ts";

interface ToolEvent {
  readonly type: string;
  readonly tool?: string;
  readonly content?: readonly Readonly<Record<string, unknown>>[];
  readonly component?: string;
  readonly props?: unknown;
}

/** An agent that calls each tool of a server once, over HTTP. Returns by tool the events that readers get, and what the model is told. */
async function callTools(answers: readonly unknown[]) {
  const { dir, remove } = makeFolder();
  onTestFinished(remove);
  const file = join(dir, "answers.json");
  writeFileSync(file, JSON.stringify(Object.fromEntries(answers.map((answer, at) => [`tool${at}`, answer]))));
  const names = answers.map((_, at) => `fake__tool${at}`);
  const model = await startModelServer([say.toolCalls(names.map((name) => ({ name, arguments: {} }))), say.text("好了。")]);
  const service = await startService({
    environment: {
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: "sk-test",
      OPENAI_MODEL: "scripted",
      MCP_SERVERS: writeServers(dir, { fake: answering(file) }),
      SOURCES: "corpus,mcp:fake",
    },
  });
  const { id } = (await service.ask({ graph: "agent", question: "有哪些资源？" })) as { id: string };
  const stream = await (await fetch(`${service.url}/research/${id}/events`)).text();
  const events = stream.split("\n").flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice(6)) as ToolEvent] : []));
  expect([model.refused, model.unexpected]).toEqual([[], []]);
  const told = contentsOf(model.requests.at(-1) as never, "tool");
  return names.map((name, at) => ({
    content: events.find(({ type, tool }) => type === "tool-ended" && tool === name)?.content ?? [],
    components: events.flatMap(({ type, tool, component, props }) => (type === "component" && tool === name ? [{ component, props }] : [])),
    told: told[at] ?? "",
  }));
}

const RESOURCES = [
  { id: "res-1", name: "资源1" },
  { id: "res-2", name: "资源2" },
];
const PROPS = { resources: RESOURCES, onClick: "handleResourceClick" };
const HTML = "<my-custom-element data-id='123'></my-custom-element>";
const CARD = { tag: "x-card", html: "<x-card></x-card>", untrusted: true, props: PROPS };
const VALUES = [
  { type: "text", value: "查询结果：" },
  { type: "component", component: "resource-list", props: PROPS },
  { type: "json", value: { total: 2, 状态: "完成" } },
  { type: "webcomponent", value: HTML },
  { type: "webcomponent", component: "x-card", value: "<x-card></x-card>", props: PROPS },
];
const inText = (value: unknown) => ({ content: [{ type: "text", text: JSON.stringify(value) }] });

describe("a tool's result with texts, JSON, components and HTML in `value`", () => {
  it("reaches the reader and the model whole, in whatever form a server sends it", async () => {
    const shown = await callTools([
      { content: VALUES },
      inText({ content: VALUES }),
      inText(VALUES),
      { content: [{ type: "text", text: "共两项。" }], structuredContent: { content: VALUES } },
    ]);
    for (const { content, components, told } of shown) {
      expect(content.filter(({ text }) => text !== "共两项。")).toEqual([
        { type: "text", text: "查询结果：" },
        { type: "component", component: "resource-list", props: PROPS },
        { type: "json", json: { total: 2, 状态: "完成" } },
        { type: "webcomponent", html: HTML, untrusted: true },
        { type: "webcomponent", ...CARD },
      ]);
      expect(components).toEqual([
        { component: "resource-list", props: PROPS },
        { component: "webcomponent", props: { html: HTML, untrusted: true } },
        { component: "webcomponent", props: CARD },
      ]);
      for (const words of ["查询结果：", "resource-list", "handleResourceClick", "资源2", '"状态":"完成"', HTML])
        expect(told).toContain(words);
    }
  });

  it("loses nothing of single items, and of items beside others that are none", async () => {
    const [alone, element, json, mixed, fields] = await callTools(
      [
        { type: "text", value: "查询结果：无" },
        { type: "webcomponent", component: "x-card", props: { 城市: "杭州" } },
        [
          { type: "json", value: '{"总数": 2}' },
          { type: "text", value: 42 },
        ],
        [{ type: "webcomponent", value: HTML }, { type: "饼图", 数据: [1, 2] }, "末尾", { type: "text", value: "x", 语言: "zh" }],
        { type: "component", component: "todo-list", value: "三项", props: { todos: [] } },
      ].map(inText),
    );
    expect(alone).toMatchObject({ content: [], components: [], told: expect.stringContaining("查询结果：无") });
    expect(element).toMatchObject({
      content: [{ type: "webcomponent", tag: "x-card", props: { 城市: "杭州" } }],
      components: [{ component: "webcomponent", props: { tag: "x-card", props: { 城市: "杭州" } } }],
      told: expect.stringContaining('"城市":"杭州"'),
    });
    expect(json?.content).toEqual([
      { type: "json", json: { 总数: 2 } },
      { type: "text", text: "42" },
    ]);
    expect(mixed?.content).toEqual([
      { type: "webcomponent", html: HTML, untrusted: true },
      { type: "json", json: { type: "饼图", 数据: [1, 2] } },
      { type: "text", text: "末尾" },
      { type: "json", json: { type: "text", value: "x", 语言: "zh" } },
    ]);
    for (const words of [HTML, '{"type":"饼图","数据":[1,2]}', "末尾"]) expect(mixed?.told).toContain(words);
    expect(fields?.content).toEqual([{ type: "component", component: "todo-list", props: { value: "三项", todos: [] } }]);
    expect(fields?.told).toContain("三项");
  });
});

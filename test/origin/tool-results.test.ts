import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf, offeredTools } from "../fakes/model-server/seen-request.ts";
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

/** An agent that calls the only tool of a server once, over HTTP. Returns the events that readers get, and what the model is told. */
async function callTool(answer: unknown) {
  const { dir, remove } = makeFolder();
  onTestFinished(remove);
  const file = join(dir, "answers.json");
  writeFileSync(file, JSON.stringify({ shows: answer }));
  const model = await startModelServer((request) =>
    offeredTools(request).includes("fake__shows") && contentsOf(request, "tool").length === 0
      ? say.toolCalls([{ name: "fake__shows", arguments: {} }])
      : say.text("好了。"),
  );
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
  return {
    content: events.find(({ type, tool }) => type === "tool-ended" && tool === "fake__shows")?.content ?? [],
    components: events.flatMap(({ type, component, props }) => (type === "component" ? [{ component, props }] : [])),
    told: contentsOf(model.requests.at(-1) as never, "tool").join("\n"),
    failures: [...model.refused, ...model.unexpected],
  };
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
  it.each([
    ["as blocks of MCP", { content: VALUES }],
    ["as a text with that JSON", inText({ content: VALUES })],
    ["as a text with a list", inText(VALUES)],
    [
      "in structured content beside another text",
      { content: [{ type: "text", text: "共两项。" }], structuredContent: { content: VALUES } },
    ],
  ])("reaches the reader and the model whole, %s", async (_, answer) => {
    const { content, components, told, failures } = await callTool(answer);
    expect(failures).toEqual([]);
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
  });

  it.each([
    ["one text alone", { type: "text", value: "查询结果：无" }, [{ type: "text", text: "查询结果：无" }]],
    [
      "an element with its name, HTML and props",
      { type: "webcomponent", component: "x-w", value: "<x-w>W</x-w>", props: { 城市: "杭州" } },
      [{ type: "webcomponent", tag: "x-w", html: "<x-w>W</x-w>", untrusted: true, props: { 城市: "杭州" } }],
    ],
    [
      "an element with its name and props alone",
      { type: "webcomponent", component: "x-card", props: { 城市: "杭州" } },
      [{ type: "webcomponent", tag: "x-card", props: { 城市: "杭州" } }],
    ],
    ["one HTML element alone", { type: "webcomponent", value: HTML }, [{ type: "webcomponent", html: HTML, untrusted: true }]],
    [
      "JSON that is written as a text, and a number",
      [
        { type: "json", value: '{"总数": 2}' },
        { type: "text", value: 42 },
      ],
      [
        { type: "json", json: { 总数: 2 } },
        { type: "text", text: "42" },
      ],
    ],
    [
      "one item beside others that are none",
      [{ type: "webcomponent", value: HTML }, { type: "饼图", 数据: [1, 2] }, "末尾", { type: "text", value: "x", 语言: "zh" }],
      [
        { type: "webcomponent", html: HTML, untrusted: true },
        { type: "json", json: { type: "饼图", 数据: [1, 2] } },
        { type: "text", text: "末尾" },
        { type: "json", json: { type: "text", value: "x", 语言: "zh" } },
      ],
    ],
    [
      "a component with fields beside its props",
      { type: "component", component: "todo-list", value: "三项", props: { todos: [] } },
      [{ type: "component", component: "todo-list", props: { value: "三项", todos: [] } }],
    ],
  ])("loses nothing of %s", async (_, value, expected) => {
    const { content, told, components } = await callTool(inText(value));
    const texts = expected.every(({ type }) => type === "text");
    expect(content).toEqual(texts ? [] : expected);
    for (const item of expected) {
      const { text, json, html } = item as { text?: string; json?: unknown; html?: string };
      expect(told).toContain(text ?? html ?? (json === undefined ? "" : JSON.stringify(json)));
      for (const words of JSON.stringify(item).match(/三项|"城市":"杭州"/g) ?? []) expect(told).toContain(words);
    }
    const elements = expected.filter(({ type }) => type === "webcomponent").map(({ type, ...props }) => ({ component: type, props }));
    expect(components.filter(({ component }) => component === "webcomponent")).toEqual(elements);
  });
});

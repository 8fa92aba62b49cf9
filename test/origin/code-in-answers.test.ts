import { describe, expect, it } from "vitest";
import { activeInHtml, activeInMarkdown } from "../../scripts/injections/rendered.ts";
import type { RunEvent } from "../../src/domain/events.ts";
import type { Report } from "../../src/domain/report.ts";
import type { Behavior } from "../fakes/model-server/behavior.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf, offeredTools, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { startService } from "../helpers/start-service.ts";

/** Asks over HTTP; returns the report, its files and the draft that readers were streamed. */
async function answered(graph: string, script: (request: SeenRequest) => Behavior) {
  const model = await startModelServer(script);
  const service = await startService({
    environment: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "sk-test", OPENAI_MODEL: "scripted", SOURCES: "corpus" },
    corpus: { "灯塔.md": "# 灯塔\n\n灯塔建于1874年，高三十米。\n" },
  });
  const { id, report } = (await service.ask({ graph, question: "灯塔建于哪一年？怎样渲染 Web Component？" })) as {
    id: string;
    report: Report;
  };
  const file = async (path: string) => (await fetch(`${service.url}/research/${id}/${path}`)).text();
  const stream = await file("events");
  const events = stream.split("\n").flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice(6)) as RunEvent] : []));
  const draft = events.flatMap((event) => (event.type === "content" ? [event.delta] : [])).join("");
  expect([model.refused, model.unexpected]).toEqual([[], []]);
  return { report, draft, html: await file("report?format=html"), markdown: await file("report?format=md") };
}

const FENCE = [
  "```ts",
  "const htmlString = '<my-chart data-id=\"123\"></my-chart>'",
  "private components: Map<string, ToolComponent> = new Map() // https://react.example/docs",
  "```",
].join("\n");
const INLINE = "行内代码 `<my-custom-element data-id='123'>`、`Promise<Array<string>>` 和 `list[0]`。";
const PROSE = "正文里的 <div onClick={onClick}> 与 Map<string, T>，如果 a<b 就停止。";
const UNKNOWN = "另见 https://evil.example/x?d=1 和 [文档](https://evil.example/y)，![图](//evil.example/i.png)。";
const WRITTEN = [
  "<my-custom-element data-id='123'>",
  "Promise<Array<string>>",
  "list[0]",
  "<div onClick={onClick}>",
  "Map<string, T>",
  "a<b",
];
const ADDRESSES = ["https://evil.example/x?d=1", "[文档](https://evil.example/y)", "![图](//evil.example/i.png)"];

describe.each([
  ["that cites nothing", "agent", ""],
  ["that cites", "agent", "灯塔建于1874年。[S1: “灯塔建于1874年”]\n\n"],
  ["of the executor", "executor", "灯塔建于1874年。[P1: “灯塔建于1874年”]\n\n"],
])("code in an answer %s", (_, graph, cited) => {
  const written = `${cited}${PROSE}\n\n${INLINE}\n\n${UNKNOWN}\n\n${FENCE}\n\n以上。`;
  const script = (request: SeenRequest) => {
    const searches = graph === "agent" && offeredTools(request).includes("search") && contentsOf(request, "tool").length === 0;
    if (searches && cited !== "") return say.toolCalls([{ name: "search", arguments: { query: "灯塔" } }]);
    return graph === "executor" && offeredTools(request).length > 0 ? say.text("够了。") : say.text(written, { pieceLength: 7 });
  };

  it("stays as it is written, and unknown addresses stand in code, marked, in every form", async () => {
    const { report, draft, html, markdown } = await answered(graph, script);
    // The writer of the executor may cite only what was read: a sentence with another address is left out, and listed.
    const addresses = graph === "agent" ? ADDRESSES : [];
    for (const address of ADDRESSES) expect(JSON.stringify(report)).toContain(`${address}\`（未检索到的地址）`);
    const codes = report.blocks.flatMap((block) => (block.kind === "code" ? [block.text] : []));
    expect(codes).toEqual([FENCE.split("\n").slice(1, -1).join("\n")]);
    for (const text of [report.markdown, markdown, ...(graph === "agent" ? [draft] : [])]) {
      for (const code of [...WRITTEN, ...codes]) expect(text).toContain(code);
      for (const address of addresses) expect(text).toContain(`\`${address}\`（未检索到的地址）`);
      expect(text).not.toContain("[address removed]");
      expect(activeInMarkdown(text).filter((target) => target.includes("evil"))).toEqual([]);
    }
    const claims = report.claims.map(({ text }) => text).join("\n");
    for (const code of WRITTEN) expect(claims).toContain(code);
    for (const address of addresses) {
      expect(claims).toContain(`\`${address}\`（未检索到的地址）`);
      expect(html).toContain(`<code>${address}</code>（未检索到的地址）`);
    }
    expect(html).toContain("<code>&lt;div onClick={onClick}&gt;</code>");
    expect(activeInHtml(html).filter((target) => /evil|onClick/.test(target))).toEqual([]);
  });
});

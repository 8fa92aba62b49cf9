import { expect, it } from "vitest";
import { toHtml, toHtmlFragment } from "../../src/reports/html/render-html.ts";
import { toMarkdown } from "../../src/reports/markdown.ts";
import { escapeMarkdown } from "../../src/reports/text.ts";
import { viewOf } from "../../src/reports/view/build-view.ts";
import { escapeHtml } from "../../src/util/escape-html.ts";
import { CHINESE, ENGLISH } from "./five-sections.ts";
import { HOSTILE, hostileRun } from "./hostile-run.ts";
import { buildRun } from "./report-builder.ts";
import { sampleRun } from "./sample-run.ts";

const RUNS = [buildRun(ENGLISH).run, buildRun(CHINESE).run, sampleRun()];

/** The text that another program shows of pasted HTML. */
const shown = (html: string): string => html.replaceAll(/<[^>]*>/g, "");

it.each(RUNS.map((run) => [run.question, run] as const))("the HTML that is copied says all that the Markdown says: %s", (_, run) => {
  const view = viewOf(run, "dossier", false);
  const markdown = toMarkdown(view, "footnotes");
  const html = toHtmlFragment(view);
  const text = shown(html);
  const sentences = view.blocks.flatMap((block) => {
    if (block.kind === "heading" || block.kind === "code" || block.kind === "table") return [];
    return block.kind === "list" ? block.items.flatMap((item) => item.sentences) : block.sentences;
  });
  const said = [
    view.title,
    ...sentences.map((sentence) => sentence.text),
    ...sentences.flatMap(({ mark }) => mark ?? []),
    ...view.notes.flatMap(({ calculations, isInText, quote }) => (isInText ? calculations : [...calculations, quote])),
    ...view.sources.map(({ title }) => title),
    ...view.sources.flatMap(({ details }) => details),
  ];
  expect(said.length).toBeGreaterThan(30);
  for (const words of said) {
    expect(markdown).toContain(escapeMarkdown(words));
    expect(text).toContain(escapeHtml(words));
  }
  for (const { number } of view.notes) expect(text).toContain(`[${number}]`);
});

it("has nothing that works in the page alone", () => {
  for (const run of [...RUNS, hostileRun(HOSTILE)]) {
    const view = viewOf(run, "dossier", false);
    const html = toHtmlFragment(view);
    expect(html).not.toMatch(/<(?:html|style|meta|nav|script|footer)\b|<[^>]* (?:class|id|role)=|href="#/);
    expect(toHtml(view)).toMatch(/href="#q1"/);
  }
});

import { expect, it } from "vitest";
import { toHtml } from "../../src/reports/html/render-html.ts";
import { titleHtml } from "../../src/reports/html/text.ts";
import { toMarkdown } from "../../src/reports/markdown.ts";
import { viewOf } from "../../src/reports/view/build-view.ts";
import { CHINESE, ENGLISH, shortAnswer } from "./five-sections.ts";
import { buildRun } from "./report-builder.ts";

it.each([
  ["English", ENGLISH, "storage segment earned", "calculated from quoted figures: value checked, words not;"],
  ["Chinese", CHINESE, "海岳储能收入为", "由引文中的数字算出，数值已核对，文字未核对；"],
])("the answer stands before whether it answers and before what its sentences stand on: %s", (_, outline, lead, key) => {
  for (const told of [outline, shortAnswer(outline)]) {
    const view = viewOf(buildRun(told).run, "dossier 0.1.0");
    for (const file of [toHtml(view), toMarkdown(view, "footnotes")]) {
      // A page keeps the parts of an amount together.
      const shown = file.replaceAll(/<\/?(?:span|bdi)[^>]*>/g, "");
      const places = [lead, view.standing[0]?.slice(0, 8) ?? "", key].map((words) => shown.indexOf(words));
      expect(places.every((place) => place > 0)).toBe(true);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
    }
  }
});

it("names that could not be compared stand behind the sentence", () => {
  const { run } = buildRun(ENGLISH);
  const claims = run.report.claims.map((claim) =>
    claim.support === "paraphrased" && !claim.supported ? { ...claim, reason: "names_not_compared: Tim, Cook" } : claim,
  );
  const view = viewOf({ ...run, report: { ...run.report, claims } }, "dossier 0.1.0");
  for (const file of [toHtml(view), toMarkdown(view, "footnotes")]) expect(file).toContain("(name not checked: Tim, Cook)");
});

it.each([
  ["en", ENGLISH, "Not checked: shown as it was written."],
  ["zh", CHINESE, "未核对，按原样显示。"],
])("code keeps its lines and spaces, and says that it was not checked: %s", (_, outline, remark) => {
  const { run } = buildRun(outline);
  const blocks = [...run.report.blocks, { kind: "code" as const, text: "if (a < b) {\n  ```\n}", language: "js" }];
  const view = viewOf({ ...run, report: { ...run.report, blocks } }, "dossier 0.1.0");
  expect(toMarkdown(view, "footnotes")).toContain(`\n\n\`\`\`\`js\nif (a < b) {\n  \`\`\`\n}\n\`\`\`\`\n\n${remark}\n\n`);
  expect(toHtml(view)).toContain("<code>if (a &lt; b) {\n  ```\n}</code></pre>");
  expect(toHtml(view)).toContain(remark);
});

it("a Chinese title breaks between words and behind punctuation", () => {
  expect(titleHtml("业务进展如何，<主要>受什么限制？").replaceAll("<wbr>", "/")).toBe(
    '<span class="words">业务/进展/如何，&lt;/主要&gt;/受/什么/限制？</span>',
  );
  expect(titleHtml("How did it develop?")).toBe("How did it develop?");
});

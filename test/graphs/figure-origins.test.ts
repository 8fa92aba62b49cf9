import { expect, it } from "vitest";
import { verifyBundle } from "../../src/reports/bundle/verify-bundle.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf, offeredTools, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import { TENANT } from "../helpers/open-dossier.ts";
import { askModel } from "../helpers/with-model.ts";

const filler = (words: string) => `${words} ${"More about this is written in another chapter of the same volume. ".repeat(3)}`;
const CORPUS = {
  "report.md": filler("# Annual report\n\nThe harbour of Aldermoor had revenue of $27.2 billion in 2024. It employs 4,150 people."),
  "paper.md": filler("# Newspaper\n\nRevenue at Aldermoor harbour came to 27,200 million dollars, says its master. The quay is old."),
  "zh.md": filler("# 港口年报\n\n奥尔德穆尔港2024年的营收为272亿美元。港口雇员众多。"),
  "other.md": filler("# Elsewhere\n\nThe harbour of Tolmere has 27.2 kilometres of quays and 41.5 metres of cranes."),
};
const SENTENCES = [
  ["Revenue was $27.2 billion in 2024.", "revenue of $27.2 billion in 2024"],
  ["The harbour employs 4,150 people.", "It employs 4,150 people"],
  ["Its quay is old.", "The quay is old"],
] as const;

/** Writes the sentences with the ids of the passages that have their quotes. */
function writes(request: SeenRequest, after: string) {
  const shown = contentsOf(request, "user").join("\n");
  const cited = SENTENCES.map(([sentence, quote]) => {
    const id = [...shown.slice(0, shown.indexOf(quote)).matchAll(/\bP\d+\b/g)].at(-1)?.[0] ?? "P1";
    return `${sentence} [${id}: "${quote}"]`;
  });
  return say.text(after === "" ? cited.join(" ") : `${cited[0]}\n\n## ${after}\n\n${cited[1]}`);
}

const ask = (language: string, after = "") =>
  askModel(
    (request) => (offeredTools(request).length > 0 ? say.text("Enough.") : writes(request, after)),
    {
      question: "What is the revenue of the harbour of Aldermoor, 奥尔德穆尔港 营收, and how many people does it employ? Is the quay old?",
      language,
    },
    { corpus: CORPUS },
  );

it.each([
  ["en", "(figure of one source only)"],
  ["zh", "（数据仅见于一个来源）"],
])("says in %s which figure of the lead only one source has, and counts other forms of the same figure", async (language, words) => {
  const { run, dossier } = await ask(language);
  expect(run.report?.claims.map(({ text, figureOrigins }) => [text, figureOrigins])).toEqual([
    [SENTENCES[0][0], 3],
    [SENTENCES[1][0], 1],
    [SENTENCES[2][0], undefined],
  ]);
  const bundle = (await Array.fromAsync(dossier.runs.bundle(TENANT, run.id))).join("");
  expect(verifyBundle(Buffer.from(bundle), `dossier ${dossier.version}`).faults).toEqual([]);
  const said = run.report?.markdown.split(words) ?? [];
  expect(said).toHaveLength(2);
  expect(said[0]?.trimEnd()).toMatch(/4,150 people\.\s*\[\d\]$/);
});

it("says nothing of the figures below the lead", async () => {
  const { run } = await ask("en", "Staff");
  expect(run.report?.claims.map(({ figureOrigins }) => figureOrigins)).toEqual([3, undefined]);
});

import { expect, test } from "vitest";
import type { Block } from "../../src/domain/document.ts";
import { answer, readingOf, write } from "../writing/readings.ts";
import { manual, shouce } from "./manuals.ts";

const block = (start: number, end: number, kind: Block["kind"] = "paragraph"): Block => ({ kind, start, end, level: 0 });

test("equal views give equal drafts", async () => {
  expect(await write("How does the docking loop end?", [manual, shouce])).toEqual(
    await write("How does the docking loop end?", [manual, shouce]),
  );
});

test("a text without blocks, such as a snippet, is quoted as it stands", async () => {
  const text = "The docking loop\nends after twelve tries.\n\nIt begins again at night.";
  expect(await answer("How does the docking loop end?", [readingOf("raw", "", text)])).toEqual([text]);
});

test("a text found under two addresses is quoted once", async () => {
  const text = "The docking loop ends after twelve tries.";
  const draft = await write("How does the docking loop end?", [readingOf("a", "", text), readingOf("b", "", text)]);
  expect(draft.citations.map(({ sourceId }) => sourceId)).toEqual(["a"]);
});

test("a quote never cuts a character, is never empty and never reaches beyond the text, whatever the blocks say", async () => {
  const text = "😀 The docking loop ends here and now. 😀";
  const blocks = [block(0, 0), block(1, 30), block(3, text.length - 1), block(2, 900)];
  const draft = await write("How does the docking loop end?", [readingOf("bad", "", text, blocks)]);
  expect(draft.claims.map((claim) => claim.text)).toEqual(["The docking loop ends here and now."]);
});

test("combining marks, joined emoji, lone surrogates and right-to-left marks break nothing", async () => {
  const text = "The de\u0301ck loop ends 👨‍👩‍👧. \u202eThe deck loop ends\u202c at night. \ud800 The deck loop ends alone.";
  expect(await answer("How does the deck loop end?", [readingOf("odd", "", text.toWellFormed())])).not.toEqual([]);
});

test("a run-on sentence is cut at a clause, verbatim, and one without clauses is left out", async () => {
  const runOn = `${"and the ferry went on over the water, ".repeat(20)}until the docking loop ends after twelve tries.`;
  const claims = await answer("How does the docking loop end?", [readingOf("run", "", runOn)]);
  expect(Math.max(...claims.map(({ length }) => length))).toBeLessThanOrEqual(600);
  expect(claims.at(-1)).toMatch(/until the docking loop ends after twelve tries\.$/);
  expect(await answer("loop?", [readingOf("run", "", "loop ".repeat(1000))])).toEqual([]);
});

test("a question of 8,000 characters is read, and one in capitals or title case like any other", async () => {
  const long = `${"We have both seen the ferry there, and its pier. ".repeat(140)} How does the docking loop end?`;
  expect((await write(long, [manual])).claims.length).toBeGreaterThan(0);
  const plain = await answer("How does the docking loop end?", [manual]);
  expect(await answer("HOW DOES THE DOCKING LOOP END?", [manual])).toEqual(plain);
  expect(await answer("How Does The Docking Loop End?", [manual])).toEqual(plain);
});

import { expect, it } from "vitest";
import * as say from "../../fakes/model-server/behaviors.ts";
import type { AskedRole } from "../../fakes/model-server/role-script.ts";
import { contentsOf, type SeenRequest } from "../../fakes/model-server/seen-request.ts";
import { BUILDER, lastSaid, plan, ROLES, WALL } from "../../fakes/scripted-roles.ts";
import { askedOf, expectReplay, researchByModel } from "./roles-under-test.ts";

const INSTRUCTIONS = "只写2024年的数据，总共五句话。";
const TODOS = [
  { id: "T1", description: BUILDER },
  { id: "二", description: WALL },
];
const systemOf = (request: SeenRequest): string => contentsOf(request, "system").join("\n");
const writes = (words: string) => (request: SeenRequest) => systemOf(request).startsWith(words);
const OUTLINE = writes("You plan a long research report");
const SECTION = writes("You write one section");
const READER = writes("You take notes");

/** The lead and two sections, or what the other roles say. */
function text(asked: AskedRole) {
  const [, id, quote] = /<data (P\d+) \w+>\n“([^”]+)”/.exec(lastSaid(asked.request)) ?? [];
  const cited = `${quote} [${id}: "${quote}"]`;
  if (!OUTLINE(asked.request)) return SECTION(asked.request) ? say.text(cited) : ROLES.text(asked);
  return say.text(`${cited}\n\n## 建造者\nNOTES: P1\n\n## Wall\nNOTES: P2\n\nANSWERS: fully`);
}

const ask = (report: object) =>
  researchByModel({ "planner-response": [plan(TODOS)], text }, { question: `${BUILDER} ${WALL}`, depth: "deep", report });

it("divides the words of a long report among its sections, and tells them that the user's words are about the whole", async () => {
  const asked = await ask({ instructions: INSTRUCTIONS });
  const { requests } = asked.model;
  const sections = requests.filter(SECTION);
  expect(sections).toHaveLength(2);
  for (const system of sections.map(systemOf)) {
    expect(system).toContain("The whole report shall have about 3000 words. This section has about 1500");
    expect(system).toContain(`The user asks for this form of the whole report: ${INSTRUCTIONS}\n- You write one section of it.`);
    expect(system).not.toContain("About 3000 words");
  }
  expect(systemOf(requests.find(OUTLINE)!)).toContain("You write its lead and plan its sections.");
  const readers = requests.filter(READER);
  expect(readers.length).toBeGreaterThan(0);
  // Notes have no form.
  for (const system of readers.map(systemOf)) expect(system).not.toMatch(/3000 words|2024年/);
  await expectReplay(asked);
});

it.each([
  ["answer", "Write only the lead"],
  ["table", "a table that compares"],
])("writes the style %s in one call from the notes", async (style, told) => {
  const asked = await ask({ style, instructions: INSTRUCTIONS });
  expect(asked.model.requests.filter((request) => OUTLINE(request) || SECTION(request))).toEqual([]);
  const summaries = askedOf(asked, "summary-response");
  expect(summaries).toHaveLength(1);
  expect(systemOf(summaries[0]!)).toContain(told);
  expect(systemOf(summaries[0]!)).toContain(`The user asks for this form: ${INSTRUCTIONS}`);
  expect(lastSaid(summaries[0]!)).toMatch(/<data P1 \w+>\n“/);
  expect(lastSaid(summaries[0]!)).toMatch(/\nNotes: P\d/);
  expect(asked.run.report?.citations.length).toBeGreaterThan(0);
  await expectReplay(asked);
});

import { expect, it } from "vitest";
import { readOutline } from "../../src/writing/text-roles.ts";

it("an outline is a lead and headings with the ids of their notes, as lists and ranges", () => {
  const text = [
    'The lamp was lit in 1874. [P3: "lit in 1874"]',
    "",
    "## **How it was built**",
    "NOTES: P3, P7-P9; p12",
    "Some text that does not belong here P99.",
    "### 灯塔的高度",
    "**NOTES：** P2，P3–5",
    "## Nothing known",
    "NOTES:",
  ].join("\n");
  expect(readOutline(text, 8)).toEqual({
    lead: 'The lamp was lit in 1874. [P3: "lit in 1874"]',
    sections: [
      { heading: "How it was built", notes: ["P3", "P7", "P8", "P9", "P12"] },
      { heading: "灯塔的高度", notes: ["P2", "P3", "P4", "P5"] },
    ],
  });
  expect(readOutline(text, 1).sections).toHaveLength(1);
  expect(readOutline("Only a lead.", 8)).toEqual({ lead: "Only a lead.", sections: [] });
});

it("a range of ids is bounded", () => {
  expect(readOutline("## A\nNOTES: P1-P9999", 8).sections[0]?.notes).toHaveLength(101);
});

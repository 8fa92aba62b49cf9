import { it } from "vitest";
import { JUDGMENTS, READINGS, SIGNS } from "./hostile-subjects.ts";
import { expectLinearOnHostileTexts } from "./hostile-texts.ts";

const LENGTH = 300_000;

it.each([...SIGNS, ...READINGS])("%s takes no longer than in proportion to a long text that is built to be slow", (_, look) => {
  expectLinearOnHostileTexts(look, LENGTH);
});

it.each(JUDGMENTS)("takes no longer than in proportion to a long page that is built to be slow where %s", (_, look) => {
  expectLinearOnHostileTexts(look, LENGTH, [" ", '"']);
});

import { it } from "vitest";
import { JUDGMENTS, READINGS } from "./hostile-subjects.ts";
import { expectLinearOnHostileTexts } from "./hostile-texts.ts";

const LENGTH = 300_000;

it.each(READINGS)("%s takes linear time for a long text that is built to be slow", (_, look) => {
  expectLinearOnHostileTexts(look, LENGTH);
});

it.each(JUDGMENTS)("takes linear time for a long page that is built to be slow where %s", (_, look) => {
  expectLinearOnHostileTexts(look, LENGTH, [" ", '"']);
});

import { it } from "vitest";
import { JUDGMENTS, READINGS, SIGNS } from "./hostile-subjects.ts";
import { expectLinearOnHostileTexts } from "./hostile-texts.ts";

// Texts of 40,000 characters, on which squared work takes a second; hostile-pages.long.test.ts has longer and more of them.
const LENGTH = 40_000;

it.each([...SIGNS, ...READINGS])("%s takes no longer than in proportion to a text that is built to be slow", (_, look) => {
  expectLinearOnHostileTexts(look, LENGTH, [" ", '"', "a", "登录"]);
});

it.each(JUDGMENTS)("takes no longer than in proportion to a page that is built to be slow where %s", (_, look) => {
  expectLinearOnHostileTexts(look, LENGTH, [" "]);
});

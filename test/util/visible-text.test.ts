import { expect, it } from "vitest";
import { ResearchRequestSchema } from "../../src/domain/request.ts";
import { isBlank } from "../../src/util/visible-text.ts";

it("tells a text of which nothing is seen from others", () => {
  const blank = ["", " \n\t", "\u200b", "\u200b \u2060\ufeff", "\u3164", "\u2800\u00ad", "\u3000", "\u202e\u0007"];
  for (const text of blank) {
    expect([text, isBlank(text)]).toEqual([text, true]);
    expect(ResearchRequestSchema.safeParse({ question: text }).success).toBe(false);
  }
  for (const text of ["?", "灯", "é", "👩‍🚀", "​a"]) expect([text, isBlank(text)]).toEqual([text, false]);
});

import { describe, expect, it } from "vitest";
import { readAnswerQuestions } from "../../scripts/answers/questions.ts";
import { gradeAnswer, summarizeGrades } from "../../scripts/answers/score.ts";

const tower = { documents: ["tower"], words: ["90 metres"] };
const mast = { documents: ["mast"], words: ["40 metres"] };

describe("how answers are graded", () => {
  it("is right on top if the first quote meets a matcher and every matcher is met", () => {
    const shown = [
      { document: "mast-1", quote: "The mast is 40 Metres high." },
      { document: "tower-1", quote: "The tower is 90 metres high." },
    ];
    expect(gradeAnswer({ expect: [tower, mast] }, shown)).toBe("right on top");
  });

  it("is partly right if the answer is lower down, or one of two things is missing", () => {
    const other = { document: "tower-1", quote: "The tower is red." };
    const told = { document: "tower-1", quote: "The tower is 90 metres high." };
    expect(gradeAnswer({ expect: [tower] }, [other, told])).toBe("partly");
    expect(gradeAnswer({ expect: [tower, mast] }, [told])).toBe("partly");
  });

  it("distinguishes a wrong answer from a wrong refusal, and questions to refuse from others", () => {
    const other = { document: "lake", quote: "The lake is 90 metres deep." };
    expect(gradeAnswer({ expect: [tower] }, [other])).toBe("wrong");
    expect(gradeAnswer({ expect: [tower] }, [])).toBe("wrongly refused");
    expect(gradeAnswer({ expect: [] }, [other])).toBe("wrongly answered");
    expect(gradeAnswer({ expect: [] }, [])).toBe("rightly refused");
  });

  it("counts answers that are right on top or rightly refused as good", () => {
    expect(summarizeGrades(["right on top", "rightly refused", "partly", "wrong"])).toMatchObject({ questions: 4, good: 0.5 });
  });

  it("reads sixty questions of every kind", async () => {
    const questions = await readAnswerQuestions("scripts/answers/questions.jsonl");
    expect(questions).toHaveLength(60);
    expect(new Set(questions.map(({ id }) => id)).size).toBe(60);
    expect(questions.filter((one) => one.kind === "unanswerable").every((one) => one.expect.length === 0)).toBe(true);
  });
});

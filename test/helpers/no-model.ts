import type { QuestionView } from "../../src/domain/ports/analyst.ts";

/** The model fields of a view if rules decide and write, and its date. */
export const NO_MODEL: Pick<QuestionView, "models" | "limits" | "today"> = {
  today: "2026-08-01",
  models: null,
  limits: { optionalToolLoops: 3, steps: 50, modelCalls: 40, tokens: 200_000, costUsd: null, seconds: 600, downloads: 12 },
};

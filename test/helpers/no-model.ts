import type { ModelView } from "../../src/domain/ports/analyst.ts";

/** The model fields of a view if rules decide and write. */
export const NO_MODEL: ModelView = {
  models: null,
  limits: { optionalToolLoops: 3, steps: 50, modelCalls: 40, tokens: 200_000, costUsd: null, seconds: 600, downloads: 12 },
};

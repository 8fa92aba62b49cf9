import type { DocumentStore, TextStore } from "../../domain/ports/sources.ts";
import type { TextAnalyzer } from "./text-analyzer.ts";

/** Analyzes each text when it is stored. A text that cannot be analyzed cannot be stored for its run either. */
export function withAnalyses(texts: TextStore, { analyze }: Pick<TextAnalyzer, "analyze">): DocumentStore {
  return {
    get: (runId, contentHash) => texts.get(runId, contentHash),
    async put(runId, document) {
      const stored = await texts.put(runId, document);
      await analyze(stored);
      return stored;
    },
    async getAnalyzed(runId, contentHash) {
      const document = await texts.get(runId, contentHash);
      return { ...document, analysis: await analyze(document) };
    },
  };
}

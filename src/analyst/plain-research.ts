import { joinFindings } from "../domain/findings.ts";
import type { ResearchAnalyst } from "../domain/ports/research-analyst.ts";

/** Plans the question as it is, takes for answered what was found something for, and sums up by putting the findings side by side. */
export function createPlainResearch(): ResearchAnalyst {
  return {
    async plan() {
      return { todos: [], needsMorePlanning: false, question: null };
    },
    async assess({ findings: { claims, reason } }) {
      const taskCompleted = claims.length > 0;
      return { taskCompleted, shouldContinue: false, nextAction: "complete", summary: reason ?? "", nextQuery: null };
    },
    async verify() {
      return { allCompleted: true, overallFeedback: "", tasks: [] };
    },
    async summarise({ executed }) {
      const { claims, citations } = joinFindings(executed.map(({ findings }) => findings));
      const unanswered = executed.filter(({ todo }) => todo.status !== "completed").map(({ todo }) => todo.description);
      return { claims, citations, reason: executed[0]?.findings.reason ?? null, unanswered };
    },
    recall: () => null,
  };
}

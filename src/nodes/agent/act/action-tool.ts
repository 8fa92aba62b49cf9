import type { Tool } from "../../../domain/ports/tool.ts";
import { DossierError } from "../../../errors.ts";

/** The face of something that only a run can do: it is described and checked like a tool, and called in no other way. */
export function actionTool(tool: Pick<Tool, "name" | "description" | "schema" | "timeoutMs" | "answersInText">): Tool {
  return {
    ...tool,
    kind: "query",
    async call() {
      throw new DossierError("internal", `${tool.name} can be called by an agent alone.`);
    },
  };
}

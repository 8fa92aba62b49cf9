import type { Tool } from "../domain/ports/tool.ts";
import { calculator } from "./calculator/calculator.ts";
import { askUser } from "./control/ask-user.ts";
import { finishTask } from "./control/finish-task.ts";

/** The tools that every agent has, whatever the scope of its run: they reach nothing. */
export const AGENT_TOOLS: readonly Tool[] = [calculator, askUser, finishTask];

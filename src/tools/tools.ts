import { AKSHARE_SEARCH } from "./akshare/akshare.ts";
import type { ToolEntry } from "./services/tool-entry.ts";

/** Every optional tool. A new one is a folder here and a line in this list. */
export const TOOLS: readonly ToolEntry[] = [AKSHARE_SEARCH];

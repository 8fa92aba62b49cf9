import { AKSHARE_SEARCH } from "./akshare/akshare.ts";
import { SEC_EDGAR } from "./sec-edgar/endpoint.ts";
import { createSecEdgar } from "./sec-edgar/sec-edgar.ts";
import type { ToolEntry } from "./services/tool-entry.ts";

/** Every optional tool. A new one is a folder here and a line in this list. */
export const TOOLS: readonly ToolEntry[] = [{ name: "sec_edgar_search", endpoints: [SEC_EDGAR], create: createSecEdgar }, AKSHARE_SEARCH];

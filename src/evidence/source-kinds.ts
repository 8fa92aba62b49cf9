import type { Source } from "../domain/report.ts";

/** How prompts name the kinds of sources. */
export const SOURCE_KINDS: Readonly<Record<Source["kind"], string>> = {
  upload: "document that the user gave",
  corpus: "document of the user",
  web: "web page",
  scholar: "scholarly work",
  encyclopedia: "encyclopedia",
  filing: "regulatory filing",
  market: "market data",
  tool: "result of a tool",
};

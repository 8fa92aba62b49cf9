import { z } from "zod";
import type { SourceEntry } from "../../src/tools/shared/entry.ts";
import { openSource, SOURCES } from "../../src/tools/sources/sources.ts";
import { AKSHARE_READER, EASTMONEY_READER } from "./market-data.ts";
import type { RecordedReader } from "./reader.ts";
import { EDGAR_READER } from "./sec-edgar.ts";

const SearchSchema = z.object({
  text: z.string().default("attention mechanism"),
  language: z.string().default("en"),
  limit: z.int().positive().default(20),
});

const TOOL_READERS: readonly RecordedReader[] = [EDGAR_READER, AKSHARE_READER, EASTMONEY_READER];

/** One reader for each folder that this project reads. */
export const READERS: readonly RecordedReader[] = [...SOURCES.map(readerOf), ...TOOL_READERS];

/** Returns the reader of a source: its only operation is `search`, and its folder is its id without underscores. */
function readerOf(entry: SourceEntry): RecordedReader {
  const { id } = entry.endpoint;
  return {
    folder: id.replaceAll("_", ""),
    endpoints: [entry.endpoint],
    operations: {
      search: async ({ fetch, context, ask }) => {
        const source = openSource(entry, { fetch, apiKey: "recorded", contactEmail: "recorded@example.org" });
        return (await source.search(SearchSchema.parse(ask), context)).hits;
      },
    },
  };
}

import { z } from "zod";
import { createExtractor } from "../../src/documents/extract.ts";
import type { ToolResult } from "../../src/domain/tool.ts";
import { ArgumentsSchema } from "../../src/tools/sec-edgar/arguments.ts";
import { createEdgarClient, SEC_EDGAR } from "../../src/tools/sec-edgar/client.ts";
import { createCompanyList } from "../../src/tools/sec-edgar/find-company.ts";
import { createSecEdgar } from "../../src/tools/sec-edgar/sec-edgar.ts";
import type { Operation, RecordedReader } from "./reader.ts";

const CONTACT = "recorded@example.org";
const ExpectedSchema = z.object({ item1_business_text: z.string() });

/** Calls the tool with the arguments in `ask` and returns the rows that a report can cite. */
const rows: Operation = async (reading) => (await callTool(reading)).sources.flatMap(({ text }) => text?.split("\n") ?? []);

/** Returns the text of the tool's result as the only item. */
const resultText: Operation = async (reading) => [(await callTool(reading)).text];

const companies: Operation = async ({ fetch, context }) => createCompanyList(createEdgarClient(fetch, CONTACT))(context);

/** Compares the words of an extracted item with a manual extraction: precision and recall, to two decimals. */
const agreement: Operation = async (reading) => {
  const { fetch, context } = reading;
  const expected = await createEdgarClient(fetch, CONTACT)(context).json(ExpectedSchema, "https://www.sec.gov/expected.json");
  const [source] = (await callTool(reading)).sources;
  const [ours, theirs] = [source?.text ?? "", expected.item1_business_text].map(countWords);
  const shared = [...(ours ?? [])].reduce((sum, [word, count]) => sum + Math.min(count, theirs?.get(word) ?? 0), 0);
  const share = (words: Map<string, number> | undefined): number => Math.round((100 * shared) / sum(words)) / 100;
  return [{ precision: share(ours), recall: share(theirs) }];
};

function countWords(text: string): Map<string, number> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Map([...Map.groupBy(words, (word) => word)].map(([word, all]) => [word, all.length]));
}

function sum(words: ReadonlyMap<string, number> = new Map()): number {
  return [...words.values()].reduce((total, count) => total + count, 0);
}

async function callTool({ fetch, context, ask }: Parameters<Operation>[0]): Promise<ToolResult> {
  const tool = createSecEdgar({ fetch, contactEmail: CONTACT, extractor: createExtractor() });
  return tool.call(ArgumentsSchema.parse(ask), { ...context, runId: "recorded", metadata: {} });
}

/** Reads recorded responses of SEC EDGAR through the tool `sec_edgar_search`. */
export const EDGAR_READER: RecordedReader = {
  folder: "edgar",
  endpoints: [SEC_EDGAR],
  operations: { rows, said: resultText, companies, agreement },
};

import { onTestFinished } from "vitest";
import { createExtractor } from "../../../src/documents/extract.ts";
import type { ToolResult } from "../../../src/domain/tool.ts";
import { createNetwork } from "../../../src/network/network.ts";
import { TIME_LIMITS } from "../../../src/network/send-request.ts";
import { ArgumentsSchema } from "../../../src/tools/sec-edgar/arguments.ts";
import { createSecEdgar } from "../../../src/tools/sec-edgar/sec-edgar.ts";
import type { SeenRequest } from "../../contracts/recorded-request.ts";
import { type Instead, startEdgar } from "./edgar-server.ts";

export interface EdgarUnderTest {
  /** Calls the tool with arguments that its schema accepts. */
  call(args: unknown): Promise<ToolResult>;
  /** Paths with their query, in order. */
  paths(): string[];
  readonly requests: readonly SeenRequest[];
}

/** The tool with a server of EDGAR's answers; both are closed with the test. */
export async function openEdgar(options: { readonly instead?: Instead; readonly contactEmail?: string } = {}): Promise<EdgarUnderTest> {
  const { contactEmail } = options;
  const server = await startEdgar(options.instead);
  const limits = { ...TIME_LIMITS, paced: false };
  const network = createNetwork({ baseUrls: { sec_edgar: server.url }, allowedHosts: new Set(), userAgent: "dossier/test", limits });
  onTestFinished(() => network.close());
  const tool = createSecEdgar({ fetch: network, extractor: createExtractor(), ...(contactEmail !== undefined && { contactEmail }) });
  return {
    call: (args) =>
      tool.call(ArgumentsSchema.parse(args), {
        runId: "run",
        metadata: {},
        scope: ["sec_edgar_search"],
        signal: new AbortController().signal,
      }),
    paths: () => server.requests.map(({ target }) => target),
    requests: server.requests,
  };
}

/** Returns the rows of all sources that can be cited. */
export function rowsOf({ sources }: ToolResult): string[] {
  return sources.flatMap(({ text, blocks }) => (blocks ?? []).map(({ start, end }) => text?.slice(start, end) ?? ""));
}

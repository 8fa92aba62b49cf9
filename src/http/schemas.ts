import { z } from "zod";
import { BlockSchema } from "../domain/blocks.ts";
import { DomainEventSchema, LifecycleEventSchema } from "../domain/events.ts";
import { GraphPictureSchema, GraphSummarySchema, SourceStateSchema } from "../domain/ports/run-service.ts";
import { CitationSchema, ClaimSchema, LedgerEntrySchema, PassageSchema, ReportSchema, SourceSchema } from "../domain/report.ts";
import { AnswerRequestSchema, ResearchRequestSchema, ThreadIdSchema } from "../domain/request.ts";
import { PendingSchema, RunSchema, TerminationSchema, UsageSchema } from "../domain/run.ts";
import { ChildSchema, TeamSchema } from "../domain/team.ts";
import { PROBLEM_TYPE, ProblemSchema } from "./problems.ts";

const fromDigits = (text: unknown) => (typeof text === "string" && /^[0-9]{1,15}$/.test(text) ? Number(text) : text);

/** Wraps a schema of whole numbers, so that it accepts the digits of a query parameter. */
export const queryInteger = <Schema extends z.ZodType<number, number | undefined>>(schema: Schema) => z.preprocess(fromDigits, schema);

const RunIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9_.:-]{1,200}$/)
  .describe("The id of a run.");

export const RunParamsSchema = z.object({ id: RunIdSchema });
const ContentHashSchema = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .describe("The SHA-256 of the text's UTF-8 bytes, lower-case hex.");
export const DocumentParamsSchema = z.object({ id: RunIdSchema, contentHash: ContentHashSchema });

export const ThreadParamsSchema = z.object({ threadId: ThreadIdSchema });
export const ThreadDocumentParamsSchema = z.object({ threadId: ThreadIdSchema, contentHash: ContentHashSchema });
export const ThreadUrlParamsSchema = z.object({ threadId: ThreadIdSchema, sourceId: z.string().regex(/^S[0-9a-f]{12}$/) });

export const LastEventIdSchema = z
  .string()
  .regex(/^[0-9]{1,15}$/, "must be the id of an event: a whole number from 0")
  .describe("The `id` of the last event that the client received. The stream starts after it.");

const envelope = {
  seq: z.int().positive().describe("The number of the event, counted from 1 without gaps. It is the `id` of the server-sent event."),
  runId: z.string(),
  at: z.string().describe("The time of the event by the run's clock, ISO 8601 in UTC."),
  path: z.string().describe("The todo, child or subgraph that emitted the event; empty for the run itself."),
};

const eventVariants = [...LifecycleEventSchema.options, ...DomainEventSchema.options].map((option) =>
  z.object({ ...option.shape, ...envelope }),
);

export const RunEventSchema = z.union(eventVariants).describe("The `data` of each server-sent event; `event` repeats its type.");

const components: Readonly<Record<string, z.ZodType>> = {
  Run: RunSchema,
  RunEvent: RunEventSchema,
  Report: ReportSchema,
  Block: BlockSchema,
  Claim: ClaimSchema,
  Citation: CitationSchema,
  Passage: PassageSchema,
  Source: SourceSchema,
  LedgerEntry: LedgerEntrySchema,
  Termination: TerminationSchema,
  Pending: PendingSchema,
  Usage: UsageSchema,
  Team: TeamSchema,
  Child: ChildSchema,
  Problem: ProblemSchema,
  GraphSummary: GraphSummarySchema,
  Graph: GraphPictureSchema,
  SourceState: SourceStateSchema,
  Research: ResearchRequestSchema,
  Answer: AnswerRequestSchema,
  ...Object.fromEntries(eventVariants.map((variant) => [eventName(variant.shape.type.value), variant])),
};

function eventName(type: string): string {
  const words = type.split("-").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join("")}Event`;
}

for (const [id, schema] of Object.entries(components)) {
  const description = schema.description;
  z.globalRegistry.add(schema, description === undefined ? { id } : { id, description });
}

const problem = (description: string) => ({ description, content: { [PROBLEM_TYPE]: { schema: ProblemSchema } } });

const PROBLEMS = {
  400: problem("The request is not valid."),
  401: problem("A valid key is needed."),
  404: problem("There is nothing at this address."),
  406: problem("Accept excludes all formats of the response."),
  409: problem("The status of the run does not allow this."),
  413: problem("The body or a document is too large, or there are too many documents."),
  415: problem("The body is not plain application/json in UTF-8, or a document is of another type."),
  422: problem("The server cannot do what this valid request asks."),
  429: problem("Too much is waiting. Try again after `Retry-After` seconds."),
  502: problem("What the server needs for this cannot be reached."),
  503: problem("The server cannot do this now. Try again after `Retry-After` seconds."),
  504: problem("The server took too long to make the response."),
} as const;

export function problems<Status extends keyof typeof PROBLEMS>(...statuses: Status[]) {
  const own = Object.fromEntries(statuses.map((status) => [status, PROBLEMS[status]])) as Pick<typeof PROBLEMS, Status>;
  return {
    401: PROBLEMS[401],
    403: problem("The Host or Origin is not allowed, or the key lacks the scope."),
    ...own,
    500: problem("The server failed. Its log has the cause."),
  };
}

/** Describes a response in the OpenAPI document. The handler must serialize the response itself. */
export function responseOf<Type extends string>(description: string, mediaType: Type, schema: z.ZodType = z.string()) {
  return { description, content: { [mediaType]: { schema } } };
}

export const emptyResponse = (description: string) => z.undefined().describe(description);

import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { END, type LangGraphRunnableConfig, MessagesValue, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { z } from "zod";
import { NOTHING_SPENT } from "../domain/budget.ts";
import { MAX_MESSAGE_LENGTH } from "../domain/conversation.ts";
import { issueFaults, plainIssue } from "../domain/plain-issue.ts";
import type { OpenJournal, SegmentJournal } from "../domain/ports/journal.ts";
import { answerText, ReportSchema } from "../domain/report.ts";
import { type ResearchRequest, ResearchRequestSchema } from "../domain/request.ts";
import { TerminationSchema } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import { DossierError } from "../errors.ts";
import { startTimeLimit } from "../util/abort.ts";
import { textOf } from "../util/json-fields.ts";
import type { GraphDefinition } from "./registry.ts";

export interface StandaloneDeps {
  /** @throws DossierError as `RunService.start` does */
  readonly resolve: (request: ResearchRequest) => Task;
  readonly openJournal: OpenJournal;
}

/** The channels `messages` and `report` of LangGraph's state are others than the fields of a request with these names. */
const { shape: FIELDS } = ResearchRequestSchema.omit({ graph: true, threadId: true, messages: true, report: true, context: true });
type Given = { [Name in keyof typeof FIELDS]: z.ZodOptional<z.ZodNullable<(typeof FIELDS)[Name]>> };
const GIVEN = Object.fromEntries(Object.entries(FIELDS).map(([name, field]) => [name, field.nullish()])) as unknown as Given;

const Input = new StateSchema({ ...GIVEN, messages: MessagesValue });
const Output = new StateSchema({ messages: MessagesValue, report: ReportSchema.nullable(), termination: TerminationSchema.nullable() });
const State = new StateSchema({ ...GIVEN, ...Output.fields, task: z.unknown() });
type StateValue = typeof State.State;

/** A graph that LangGraph's own tools can run: it takes a request, resolves it, and runs the graph without storing the run. */
export function buildStandaloneGraph(definition: GraphDefinition, deps: StandaloneDeps) {
  return new StateGraph({ state: State, input: Input, output: Output })
    .addNode("read_request", (state: StateValue) => readRequest(state, definition.name, deps.resolve))
    .addNode("run", (state: StateValue, config) => runGraph(state.task as Task, definition, deps.openJournal, config), {
      subgraphs: [definition.graph as never],
    })
    .addEdge(START, "read_request")
    .addEdge("read_request", "run")
    .addEdge("run", END)
    .compile({ name: definition.name, description: definition.description });
}

/** The question is `question` or the last message of the user. */
function readRequest({ messages, task: _, ...state }: StateValue, graph: string, resolve: StandaloneDeps["resolve"]) {
  const given = Object.entries(state).filter(([name, value]) => name in FIELDS && value != null);
  const { question, systemContext, ...options } = Object.fromEntries(given);
  const asked = question === undefined ? [] : [new HumanMessage(textOf(question))];
  const spoken = [...messages, ...asked];
  const system = spoken.filter(({ type }) => type === "system").map(({ text }) => text);
  const context = [textOf(systemContext), ...system].filter(Boolean).join("\n\n");
  const request = {
    ...{ ...options, graph, messages: spoken.flatMap(toConversation), question: spoken.findLast(({ type }) => type === "human")?.text },
    ...(context !== "" && { systemContext: context }),
  };
  // LangGraph keeps the state of a thread, and the next run has a request of its own.
  const taken = Object.fromEntries(given.map(([name]) => [name, null]));
  return { ...taken, messages: asked, task: resolve(parseRequest(request)), report: null, termination: null };
}

function parseRequest(given: unknown): ResearchRequest {
  const { data, error } = ResearchRequestSchema.safeParse(given, { error: plainIssue });
  if (data !== undefined) return data;
  const faults = issueFaults(error?.issues ?? []);
  const message = faults.map((fault) => `${fault.path} ${fault.message}`).join("; ");
  throw new DossierError("invalid_request", `${message}. Give a question, or messages of which one is the user's.`, { faults });
}

/** Writes messages as POST /research takes them. */
function toConversation(message: BaseMessage): object[] {
  const content = (textOf(message.additional_kwargs[ANSWER]) || message.text).slice(0, MAX_MESSAGE_LENGTH);
  if (message.type === "human") return [{ role: "user", content }];
  if (ToolMessage.isInstance(message)) return [{ role: "tool", tool_call_id: message.tool_call_id, content }];
  if (!AIMessage.isInstance(message)) return [];
  const calls = (message.tool_calls ?? []).map(({ id, name, args }) => ({ id, function: { name, arguments: JSON.stringify(args) } }));
  return [{ role: "assistant", content, ...(calls.length > 0 && { tool_calls: calls }) }];
}

/** The key under which a message keeps the report without quotes and ledger. Later questions are shown that text. */
const ANSWER = "answer";

async function runGraph(task: Task, definition: GraphDefinition, openJournal: OpenJournal, config: LangGraphRunnableConfig) {
  const journal = openUnstoredJournal(openJournal, config);
  const stopTimer = startTimeLimit(task.limits.seconds * 1_000, () => journal.send("deadline"));
  const cancel = (): void => journal.send("cancel");
  config.signal?.addEventListener("abort", cancel, { once: true });
  const recursionLimit = Math.max(task.limits.steps, definition.minSteps) + 1;
  try {
    const inner = { ...config, context: { run: journal }, signal: journal.signal, recursionLimit };
    const { report, termination } = definition.outcome(await definition.graph.invoke(definition.input(task), inner));
    if (report === null) return { report, termination, messages: [] };
    const message = new AIMessage({ content: report.markdown, additional_kwargs: { [ANSWER]: answerText(report) } });
    return { report, termination, messages: [message] };
  } catch (error) {
    throw journal.signal.aborted ? journal.signal.reason : error;
  } finally {
    stopTimer();
    config.signal?.removeEventListener("abort", cancel);
    journal.close();
  }
}

/** Stores nothing; events go to LangGraph's custom stream. After an answer of the user, limits count from there, as nothing is known of before. */
function openUnstoredJournal(openJournal: OpenJournal, { configurable, writer }: LangGraphRunnableConfig): SegmentJournal {
  const startedAt = Date.now();
  return openJournal({
    runId: String(configurable?.["thread_id"] ?? startedAt),
    // Ids of calls are unique in a thread, because each part of a run has a number of its own.
    ...{ segment: startedAt, epoch: 0, mode: "live", clock: Date.now, onDrain: () => undefined },
    ...{ records: [], events: [], cache: [], earlier: [], pauses: [], spent: NOTHING_SPENT },
    sink: {
      record: () => undefined,
      event: ({ path }, event, node) => writer?.({ ...event, path, node }),
      stored: async () => undefined,
    },
  });
}

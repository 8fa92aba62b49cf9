import type { Behavior } from "../fakes/model-server/behavior.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { askedRole } from "../fakes/model-server/role-script.ts";
import type { Script } from "../fakes/model-server/script.ts";
import { contentsOf, type SeenRequest } from "../fakes/model-server/seen-request.ts";
import type { Feed, HostileService } from "./hostile-service.ts";
import { HOSTILE_TEXTS } from "./texts.ts";

export const MEGABYTE = 1_000_000;
/** In UTF-16 code units: the longest that a request may have. */
const MAX_QUESTION = 8_000;
const MAX_MESSAGE = 20_000;
const QUESTION = "Who built the lighthouse of Aldermoor 水 a word?";
const COMPONENTS = ["planner-response", "executor-response", "verifier-response", "summary-response"];

const all = HOSTILE_TEXTS.map((_, number) => number);
/** The texts that took longest in measurements. */
const WORST = [
  ...["marks", "invisible", "ligatures", "list lines", "numbered lines", "open links", "footnotes", "cited quotes", "quoted lines"],
  ...["Chinese dots", "semicolons", "Chinese stops", "headings", "half dates", "random characters", "nested arrays", "raised numbers"],
].map((wanted) => HOSTILE_TEXTS.findIndex(([name]) => name === wanted));
/** Half of all texts, among them the worst. */
const HALF = [...new Set([...WORST, ...all.filter((number) => number % 3 === 0)])];

export const nameOf = (number: number): string => HOSTILE_TEXTS[number]?.[0] ?? "";
const textOf = (number: number, length: number): string => HOSTILE_TEXTS[number]?.[1](length) ?? "";
/** JSON cannot carry NUL or half a surrogate pair to the service. */
const sendable = (text: string): string => text.replaceAll("\0", "0").toWellFormed();

/** A hostile model: what it answers next. */
export interface Told {
  number: number;
  how: "calls" | "finish" | "writer" | "pieces" | "reasoning" | "plan" | "arguments";
  calls: readonly number[];
}

export function hostileModel(told: Told): Script {
  return (request) => {
    const role = askedRole(request, COMPONENTS);
    // A plan has five fields with the text, which make a megabyte.
    if (told.how === "plan") return planned(role, textOf(told.number, MEGABYTE / 5));
    const text = textOf(told.number, told.how === "pieces" ? MEGABYTE / 10 : MEGABYTE);
    if (told.how === "finish") return say.toolCalls([{ name: "finish_task", arguments: { answer: text } }], { pieceLength: 2 * MEGABYTE });
    if (role === "tools") return called(request, told, text);
    if (told.how === "reasoning") return say.text("NO ANSWER", { reasoning: text, pieceLength: 2 * MEGABYTE });
    if (told.how === "pieces") return say.text(text, { pieceLength: 40 });
    return told.how === "writer" ? say.text(text, { pieceLength: 2 * MEGABYTE }) : say.text("NO ANSWER");
  };
}

function called(request: SeenRequest, { how, calls }: Told, text: string): Behavior {
  const again = contentsOf(request, "user").some((said) => said.includes("- hostile_tool {"));
  if (again || how === "writer" || how === "pieces" || how === "reasoning") return say.text("It is enough.");
  const given = how === "arguments" ? [{ number: 0, text }] : calls.map((number) => ({ number }));
  return say.toolCalls(
    given.map((one) => ({ name: "hostile_tool", arguments: one })),
    { pieceLength: 2 * MEGABYTE },
  );
}

function planned(role: string, text: string): Behavior {
  const todos = [{ id: text, description: text, dependsOn: [text], doneCriteria: text, keyFacts: [text] }];
  const props: Readonly<Record<string, object>> = {
    "planner-response": { needsMorePlanning: false, question: null, reasoning: text, todos },
    "executor-response": { taskCompleted: true, shouldContinue: false, nextAction: "complete", summary: text },
    "verifier-response": { allCompleted: true, overallFeedback: text, tasks: [] },
    "summary-response": { answer: text, answers: "partly", missing: [text] },
  };
  const known = props[role];
  return known === undefined ? say.text("NO ANSWER") : say.component(role, known, { pieceLength: 8 * MEGABYTE });
}

export interface Role {
  readonly name: string;
  readonly model: boolean;
  /** The numbers of the texts that one run is given. */
  readonly batches: readonly (readonly number[])[];
  request(batch: readonly number[]): Readonly<Record<string, unknown>> | string;
  readonly feed?: (batch: readonly number[]) => Feed;
  readonly tell?: (batch: readonly number[], told: Told) => void;
}

function inBatches(numbers: readonly number[], size: number): number[][] {
  return Array.from({ length: Math.ceil(numbers.length / size) }, (_, i) => numbers.slice(i * size, (i + 1) * size));
}

const single = (numbers: readonly number[]) => inBatches(numbers, 1);
const first = ([number = 0]: readonly number[]): number => number;
const corpus = { sources: ["corpus"] };

function pages(kind: Feed["kind"], numbers: readonly number[]): Role {
  return {
    name: `pages (${kind})`,
    model: false,
    batches: inBatches(numbers, 12),
    feed: (batch) => ({ numbers: batch, length: MEGABYTE, kind }),
    request: () => ({ question: QUESTION, sources: ["hostile"] }),
  };
}

function output(how: Told["how"], request: object, numbers = WORST): Role {
  return {
    name: `model: ${how}`,
    model: true,
    batches: single(numbers),
    tell: (batch, told) => Object.assign(told, { how, number: first(batch) }),
    request: (batch) => ({ question: `${QUESTION} ${first(batch)}`, ...request }),
  };
}

const conversation = (number: number) => {
  const content = sendable(textOf(number, MAX_MESSAGE));
  return Array.from({ length: 10 }, (_, i) => ({ role: i % 2 === 0 ? "user" : "assistant", content }));
};

export const ROLES: readonly Role[] = [
  {
    name: "question",
    model: false,
    batches: single(all),
    request: (batch) => ({ question: sendable(textOf(first(batch), MAX_QUESTION)), ...corpus }),
  },
  { name: "refused body", model: false, batches: single(WORST), request: (batch) => ({ question: textOf(first(batch), MEGABYTE) }) },
  {
    name: "metadata",
    model: false,
    batches: [[0]],
    request: () => `{"question":"a","metadata":{"a":${"[".repeat(170_000)}${"]".repeat(170_000)}}}`,
  },
  {
    name: "messages",
    model: true,
    batches: single(WORST),
    request: (batch) => ({ question: "And who built it?", ...corpus, messages: conversation(first(batch)) }),
  },
  {
    name: "titles and snippets",
    model: false,
    batches: inBatches(all, 20),
    feed: (batch) => ({ numbers: batch, length: MEGABYTE, kind: "hits" }),
    request: () => ({ question: QUESTION, sources: ["hostile"], limits: { downloads: 0 } }),
  },
  pages("html", HALF),
  pages("md", HALF),
  pages("txt", HALF),
  pages("pdf", WORST.slice(0, 12)),
  {
    name: "tool results",
    model: true,
    batches: inBatches(HALF, 8),
    feed: (batch) => ({ numbers: batch, length: MEGABYTE, kind: "hits" }),
    tell: (batch, told) => Object.assign(told, { how: "calls", calls: batch }),
    request: (batch) => ({ question: `${QUESTION} ${first(batch)}`, sources: ["hostile_tool"] }),
  },
  output("writer", corpus),
  output("finish", { ...corpus, graph: "agent" }),
  output("pieces", corpus),
  output("reasoning", { sources: ["corpus", "hostile_tool"] }),
  output("arguments", { sources: ["hostile_tool"] }, WORST.slice(0, 8)),
  output("plan", { ...corpus, graph: "research" }, WORST.slice(0, 8)),
];

/** Lets output through that is longer than any real model writes. */
export const SETTINGS = {
  ...{ MODEL_MAX_OUTPUT_TOKENS: "1000000", MODEL_CONTEXT_TOKENS: "4000000", MAX_TOKENS: "100000000", MAX_SECONDS: "60" },
} as const;

/** Starts the run of a batch and returns its HTTP status after it has ended. */
export async function ask(service: HostileService, role: Role, batch: readonly number[], told: Told): Promise<number> {
  role.tell?.(batch, told);
  if (role.feed !== undefined) await service.feed(role.feed(batch));
  const request = role.request(batch);
  const { status } = await service.post(typeof request === "string" ? request : JSON.stringify(request));
  return status;
}

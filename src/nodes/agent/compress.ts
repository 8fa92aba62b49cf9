import type { ChatRequest } from "../../domain/chat.ts";
import type { GraphNode } from "../../domain/ports/effects.ts";
import { agentRequest, exceedsContext, type RequestDeps } from "./request.ts";
import type { AgentMessage, AgentStateValue, AgentUpdate } from "./state.ts";

const TOO_LONG = "The question alone does not fit into the model's context. Ask a shorter one, or raise MODEL_CONTEXT_TOKENS.";

export function createCompressNode(deps: RequestDeps): GraphNode<AgentStateValue, AgentUpdate> {
  return async (state, effects) => {
    const build: BuildRequest = (messages, kept) => agentRequest({ ...state, ...kept }, messages, deps, effects);
    const fitted = await fitToModel(state, state.messages, build);
    if (fitted === null) return { steps: 1, crowded: false, failure: { code: "context_too_large", message: TOO_LONG } };
    const { messages, forgottenTurns } = fitted;
    // What was cut or became notes does not stand in the conversation any more.
    return { steps: 1, crowded: false, messages, forgottenTurns, told: [] };
  };
}

export type BuildRequest = (messages: readonly AgentMessage[], kept: Pick<AgentStateValue, "forgottenTurns">) => Promise<ChatRequest>;

export async function fitToModel(state: AgentStateValue, messages: readonly AgentMessage[], build: BuildRequest) {
  const turns = state.task.history.length;
  for (const level of LEVELS) {
    const shorter = shorten(messages, level);
    const forgottenTurns = Math.max(state.forgottenTurns, Math.ceil(turns * level.forget));
    const request = await build(shorter, { forgottenTurns });
    if (!exceedsContext(request, state)) return { request, messages: shorter, forgottenTurns };
  }
  return null;
}

interface Level {
  /** The number of latest tool rounds to keep. Older rounds become notes. */
  readonly keep: number;
  /** The maximum length of a tool result in UTF-16 code units. */
  readonly resultLength: number;
  readonly notesLength: number;
  /** The share of earlier questions and answers to leave out, from 0 to 1. */
  readonly forget: number;
}

const LEVELS: readonly Level[] = [
  { keep: Number.POSITIVE_INFINITY, resultLength: Number.POSITIVE_INFINITY, notesLength: 8_000, forget: 0 },
  { keep: 2, resultLength: Number.POSITIVE_INFINITY, notesLength: 8_000, forget: 0 },
  // What the last searches read is kept whole as long as it fits.
  { keep: 1, resultLength: Number.POSITIVE_INFINITY, notesLength: 6_000, forget: 0.5 },
  { keep: 1, resultLength: 6_000, notesLength: 6_000, forget: 0.5 },
  { keep: 1, resultLength: 2_000, notesLength: 4_000, forget: 1 },
  { keep: 1, resultLength: 500, notesLength: 2_000, forget: 1 },
  { keep: 0, resultLength: 500, notesLength: 1_000, forget: 1 },
];

const NOTES = "Notes on what was done so far. The ids still name the sources, which can be read again.";
const MAX_TEXT_LENGTH = 300;
const END = /\n<\/data[^<>]*>$/;

/** Replaces older rounds by notes without asking a model. The notes name the sources, so that the model can still cite them. */
function shorten(messages: readonly AgentMessage[], { keep, resultLength, notesLength }: Level): AgentMessage[] {
  const [question, ...rest] = messages;
  if (question === undefined) return [];
  const rounds = roundsOf(rest);
  const called = rounds.filter(hasCalls);
  const firstKept = called[Math.max(0, called.length - keep)];
  const end =
    firstKept === undefined
      ? rounds.findLastIndex((round) => hasCalls(round) || round[0]?.mark === "notes") + 1
      : rounds.indexOf(firstKept);
  const notes = rounds.slice(0, end).flatMap(notesOf);
  const latest = rounds.slice(end).flatMap((round) => round.map((message) => cutResult(message, resultLength)));
  if (notes.length === 0) return [question, ...latest];
  const content = `${NOTES}\n${newestWithin(notes, notesLength)}`;
  return [question, { role: "user", content, mark: "notes" }, ...latest];
}

type Round = readonly AgentMessage[];

function roundsOf(messages: readonly AgentMessage[]): Round[] {
  const rounds: AgentMessage[][] = [];
  for (const message of messages) {
    if (message.role === "tool") rounds.at(-1)?.push(message);
    else rounds.push([message]);
  }
  return rounds;
}

function hasCalls([first]: Round): boolean {
  return first?.role === "assistant" && first.toolCalls.length > 0;
}

function notesOf(round: Round): string[] {
  return round.flatMap((message) => {
    if (message.mark === "notes") return message.content.split("\n").slice(1);
    if (message.role === "tool") return [`- ${message.brief ?? message.name}`];
    const text = message.role === "assistant" ? message.content.replace(/\s+/g, " ").trim() : "";
    return text === "" ? [] : [`- you said: ${text.slice(0, MAX_TEXT_LENGTH).toWellFormed()}`];
  });
}

function cutResult(message: AgentMessage, length: number): AgentMessage {
  if (message.role !== "tool" || message.content.length <= length) return message;
  return { ...message, content: `${message.content.slice(0, length).toWellFormed()}\n(cut here)${END.exec(message.content)?.[0] ?? ""}` };
}

function newestWithin(lines: readonly string[], length: number): string {
  const kept: string[] = [];
  let room = length;
  for (const line of lines.toReversed()) {
    room -= line.length + 1;
    if (room < 0) break;
    kept.unshift(line);
  }
  return kept.join("\n");
}

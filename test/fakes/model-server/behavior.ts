import { z } from "zod";

const Count = z.number().int().nonnegative();
const Milliseconds = z.number().nonnegative();
const JsonObject = z.record(z.string(), z.unknown());

/** Token counts as the server reports them; other keys (details, cost) are sent unchanged. */
export const UsageSchema = z.looseObject({ prompt_tokens: Count, completion_tokens: Count, total_tokens: Count });

/** Where a stream stops before its end, and how. */
const CutSchema = z.strictObject({
  /** `nothing`: not even a status line; a number: after the headers and this many pieces. */
  after: z.union([z.literal("nothing"), Count]),
  /** `reset` destroys the socket, `hang` waits until the client leaves, `end` ends the body as if it were complete. */
  how: z.enum(["reset", "hang", "end"]),
});

/** Called with the number of each piece before it is sent, from 0; the piece waits for what this returns. */
const BeforePieceSchema = z.custom<(piece: number) => unknown>((value) => typeof value === "function");

/** Options of every behavior: its pace, how it is cut, and whether it serves all further requests too. */
const manner = {
  /** Delay before the status line. */
  firstDelayMs: Milliseconds.optional(),
  /** Delay before each piece. */
  delayMs: Milliseconds.optional(),
  /** Only in a script that is code. */
  beforePiece: BeforePieceSchema.optional(),
  /** The body is written in chunks of this many bytes, wherever that splits it; by default one frame at a time. */
  cutBytes: z.number().int().positive().optional(),
  cut: CutSchema.optional(),
  repeat: z.boolean().optional(),
};

const answer = {
  ...manner,
  reasoning: z.string().optional(),
  /** The field or fields that carry `reasoning`; `think` puts it between tags before the content. */
  reasoningIn: z.enum(["reasoning_content", "reasoning", "both", "think"]).optional(),
  /** `null`: no chunk with a finish reason is sent. */
  finishReason: z.string().nullable().optional(),
  /** Counted roughly by default. */
  usage: z.union([UsageSchema, z.literal("none")]).optional(),
  /** `asked`: in a last chunk without choices, if `stream_options` asks for it; `last`: always there; `finish`: with the finish reason. */
  usageIn: z.enum(["asked", "last", "finish"]).optional(),
  /** Code points per piece. */
  pieceLength: z.number().int().positive().optional(),
  /** Number of comment lines before each piece. */
  comments: Count.optional(),
  /** `false`: the stream ends without `[DONE]`. */
  done: z.boolean().optional(),
  /** Sends a complete `chat.completion` as application/json, even if a stream was requested. */
  asJson: z.boolean().optional(),
};

const ToolCallSchema = z.strictObject({
  name: z.string(),
  /** A string is sent unchanged, valid JSON or not. */
  arguments: z.union([z.string(), JsonObject]),
  id: z.string().optional(),
});

/** How servers send a call; the first value of each option is OpenAI's. */
const FormSchema = z.strictObject({
  id: z.enum(["once", "every", "absent", "empty", "0"]).optional(),
  /** `null` and `missing` describe the first chunk; arguments beyond `{}` follow in pieces. */
  arguments: z.enum(["pieces", "whole", "null", "missing"]).optional(),
  name: z.enum(["once", "every", "empty-later"]).optional(),
  index: z.enum(["given", "missing"]).optional(),
  order: z.enum(["one-by-one", "interleaved"]).optional(),
});

/** One scripted answer; plain data, so that a script can be a JSON file. */
export const BehaviorSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("text"), text: z.string(), ...answer }),
  z.strictObject({
    kind: z.literal("tool-calls"),
    calls: z.array(ToolCallSchema).min(1),
    text: z.string().optional(),
    form: FormSchema.optional(),
    ...answer,
  }),
  z.strictObject({
    kind: z.literal("repetition"),
    /** The minimum size of the content in bytes. */
    bytes: z.number().int().positive(),
    of: z.string().min(1),
    into: z.enum(["content", "reasoning_content"]).optional(),
    finishReason: z.string().nullable().optional(),
    ...manner,
  }),
  z.strictObject({
    kind: z.literal("stream-error"),
    form: z.enum(["groq", "openrouter"]),
    /** Pieces sent before the error. */
    text: z.string(),
    error: JsonObject,
    ...manner,
  }),
  z.strictObject({ kind: z.literal("chunks"), chunks: z.array(JsonObject), done: z.boolean().optional(), ...manner }),
  z.strictObject({ kind: z.literal("recorded"), body: z.union([z.string(), z.instanceof(Uint8Array)]), ...manner }),
  z.strictObject({
    kind: z.literal("status"),
    status: z.number().int().min(200).max(599),
    /** An object is sent as JSON, a string unchanged. */
    body: z.union([z.string(), JsonObject]),
    headers: z.record(z.string(), z.string()),
    ...manner,
  }),
]);

export type Behavior = z.infer<typeof BehaviorSchema>;
export type BehaviorOf<Kind extends Behavior["kind"]> = Extract<Behavior, { kind: Kind }>;
export type Usage = z.infer<typeof UsageSchema>;
export type ScriptedCall = z.infer<typeof ToolCallSchema>;
export type CallForm = z.infer<typeof FormSchema>;
export type Cut = z.infer<typeof CutSchema>;
/** A behavior with content, reasoning or calls. */
export type Told = BehaviorOf<"text"> | BehaviorOf<"tool-calls">;

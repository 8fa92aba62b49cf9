import type { StoredDocument } from "../document.ts";
import type { RankedHit } from "../hit.ts";
import type { Citation, Claim } from "../report.ts";
import type { Turn } from "../request.ts";
import type { ToolCall, ToolDescription, ToolOutcome } from "../tool.ts";
import type { Effects } from "./effects.ts";

/** Everything a decision may depend on; equal views give equal decisions. */
export interface DecisionView {
  readonly question: string;
  readonly language: string;
  readonly systemContext: string;
  readonly history: readonly Turn[];
  readonly round: number;
  readonly tools: readonly ToolDescription[];
  readonly outcomes: readonly ToolOutcome[];
  readonly resultsBySource: Readonly<Record<string, number>>;
  readonly best: readonly { readonly title: string; readonly publishedAt: string | null; readonly firstLine: string }[];
}

/** No calls means that it has enough, or needs no tool. */
export interface Decision {
  readonly calls: readonly ToolCall[];
  readonly reason: string;
}

/** A document that was read (or a snippet that stands for one), best first. */
export interface Reading {
  readonly hit: RankedHit;
  readonly document: StoredDocument;
}

export interface WritingView {
  readonly question: string;
  readonly language: string;
  readonly systemContext: string;
  readonly history: readonly Turn[];
  readonly readings: readonly Reading[];
}

/** `claims` is empty where the readings do not answer the question; `reason` then says what was missing. */
export interface Draft {
  readonly claims: readonly Claim[];
  readonly citations: readonly Citation[];
  readonly reason: string | null;
}

/** Who decides and writes: a model, or the extractive rules. Whatever reaches outside goes through `effects`. */
export interface Analyst {
  readonly name: string;
  decide(view: DecisionView, effects: Effects): Promise<Decision>;
  write(view: WritingView, effects: Effects): Promise<Draft>;
}

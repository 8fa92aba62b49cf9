import type { Accepted } from "../../../src/domain/accepted.ts";
import type { Estimate } from "../../../src/domain/estimate.ts";
import type { ThreadMaterial } from "../../../src/domain/ports/material.ts";
import type {
  CorpusContents,
  DataState,
  GraphPicture,
  GraphSummary,
  ModelsState,
  OfferedModels,
  RunPage,
  SourceState,
} from "../../../src/domain/ports/run-service.ts";
import type { AnswerRequest } from "../../../src/domain/request.ts";
import type { Run, RunStatus } from "../../../src/domain/run.ts";
import { asProblem, type Problem } from "./problem.ts";
import { getJson, send } from "./request.ts";
import type { ResearchDraft } from "./research-draft.ts";
import { changeSession } from "./sign-in.ts";

/** A part of a path. Browsers take `.` and `..` for steps in the path, even when they are encoded once. */
const segment = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(/^\.{1,2}$/, (dots) => dots.replaceAll(".", "%252E"));

const runPath = (id: string) => `/research/${segment(id)}`;

/** A repeated start with the same key starts nothing twice. With files the request is multipart: `request` and `documents`. */
export function startRun(draft: ResearchDraft, options: { key: string; files?: readonly File[]; signal?: AbortSignal }): Promise<Run> {
  const { key, files = [], signal } = options;
  const common = { method: "POST", headers: { "idempotency-key": key }, signal } as const;
  if (files.length === 0) return getJson("/research", { ...common, json: draft });
  return getJson("/research", { ...common, form: formOf(draft, files), timeLimitMs: 300_000 });
}

function formOf(draft: ResearchDraft, files: readonly File[]): FormData {
  const form = new FormData();
  form.append("request", new Blob([JSON.stringify(draft)], { type: "application/json" }));
  for (const file of files) form.append("documents", file, file.name);
  return form;
}

/** Of the files only their names are sent. */
export function estimate(draft: ResearchDraft, fileNames: readonly string[], signal: AbortSignal): Promise<Estimate> {
  const files = fileNames.map((name) => new File([], name));
  const body = files.length === 0 ? { json: draft } : { form: formOf(draft, files) };
  return getJson("/research/estimate", { method: "POST", ...body, signal });
}

export function getRun(id: string, signal?: AbortSignal): Promise<Run> {
  return getJson(runPath(id), { signal });
}

export interface RunFilter {
  readonly status?: RunStatus;
  readonly threadId?: string;
  readonly graph?: string;
  /** Must be in the question or the name. */
  readonly text?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

export function listRuns(filter: RunFilter, signal?: AbortSignal): Promise<RunPage> {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return getJson(`/research?${query}`, { signal });
}

export function cancelRun(id: string): Promise<Run> {
  return getJson(`${runPath(id)}/cancel`, { method: "POST" });
}

export function answerRun(id: string, answer: AnswerRequest): Promise<Run> {
  return getJson(`${runPath(id)}/answer`, { method: "POST", json: answer });
}

export async function deleteRun(id: string): Promise<void> {
  await send(runPath(id), { method: "DELETE" });
}

/** The text that citations point into. */
export async function getDocument(runId: string, contentHash: string, signal?: AbortSignal): Promise<string> {
  const path = `${runPath(runId)}/documents/${segment(contentHash)}`;
  const response = await send(path, { headers: { accept: "text/plain" }, signal });
  return response.text();
}

/** The address of the file that a document of the server's folder was read from. */
export function originalPath(runId: string, contentHash: string): string {
  return `${runPath(runId)}/documents/${segment(contentHash)}/original`;
}

/** Whether the file is still there as it was read. */
export async function hasOriginal(runId: string, contentHash: string, signal?: AbortSignal): Promise<boolean> {
  try {
    await send(originalPath(runId, contentHash), { method: "HEAD", headers: { accept: "*/*" }, signal });
    return true;
  } catch (error) {
    if (asProblem(error).status === 404) return false;
    throw error;
  }
}

/** What was given to a thread. */
export function getThreadMaterial(threadId: string, signal: AbortSignal): Promise<ThreadMaterial> {
  return getJson(`/threads/${segment(threadId)}/documents`, { signal });
}

/** Whose key this browser has signed in with. */
export interface Session {
  readonly name: string | null;
  readonly tenant: string;
  readonly scopes: readonly string[];
  readonly expiresAt: string | null;
  readonly isSession: boolean;
  /** Whether people can sign in at a provider. */
  readonly oidc: boolean;
}

export function getSession(signal?: AbortSignal): Promise<Session> {
  return getJson("/session", { signal });
}

export async function signIn(key: string): Promise<void> {
  await send("/session", { method: "POST", json: { key } });
  changeSession();
}

export async function signOut(): Promise<void> {
  await send("/session", { method: "DELETE" });
  changeSession();
}

export function listGraphs(signal?: AbortSignal): Promise<{ graphs: GraphSummary[] }> {
  return getJson("/graphs", { signal });
}

export function getGraph(name: string, signal?: AbortSignal): Promise<GraphPicture> {
  return getJson(`/graphs/${segment(name)}`, { signal });
}

export function listSources(signal?: AbortSignal): Promise<{ sources: SourceState[] }> {
  return getJson("/sources", { signal });
}

export function getModels(signal?: AbortSignal): Promise<ModelsState> {
  return getJson("/models", { signal });
}

/** Asks the model server, so it may take seconds. */
export function listOfferedModels(signal?: AbortSignal): Promise<OfferedModels> {
  return getJson("/models/offered", { signal });
}

/** What the server takes at most. */
export function getAccepted(signal?: AbortSignal): Promise<Accepted> {
  return getJson("/limits", { signal });
}

export function getHealth(signal?: AbortSignal): Promise<{ version: string }> {
  return getJson("/healthz", { signal });
}

/** A server that accepts no runs says why. */
export async function getReadiness(signal?: AbortSignal): Promise<{ data: DataState } | { problem: Problem }> {
  try {
    return await getJson<{ data: DataState }>("/readyz", { signal });
  } catch (error) {
    const problem = asProblem(error);
    if (problem.status !== 503) throw problem;
    return { problem };
  }
}

/** What the folder has, with the first documents. */
export function getCorpus(signal?: AbortSignal): Promise<CorpusContents> {
  return getJson("/corpus?limit=3", { signal });
}

/** Fetched instead of linked to, so that the API key is sent. */
export async function downloadFile(path: string): Promise<{ blob: Blob; filename: string | null }> {
  const response = await send(path, { headers: { accept: "*/*" }, timeLimitMs: 120_000 });
  const disposition = response.headers.get("content-disposition") ?? "";
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  const plain = /filename="([^"]*)"/i.exec(disposition)?.[1];
  return { blob: await response.blob(), filename: encoded === undefined ? (plain ?? null) : decodeURIComponent(encoded) };
}

/** Names a run; null takes its name away. */
/** Makes a link to the report for people without a key, and returns its address. */
export async function shareReport(runId: string): Promise<string> {
  const { links } = await getJson<{ links: { self: string } }>(`${runPath(runId)}/share-links`, { method: "POST", json: {} });
  return new URL(links.self, location.href).href;
}

export function renameRun(id: string, title: string | null): Promise<Run> {
  return getJson(runPath(id), { method: "PATCH", json: { title } });
}

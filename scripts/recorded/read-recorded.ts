import { failureCodeOf } from "../../src/domain/failures.ts";
import { toDossierError } from "../../src/errors.ts";
import { createNetwork } from "../../src/network/network.ts";
import { startLoopback } from "../../test/fakes/loopback-server.ts";
import type { ReadExpectation } from "./expectation.ts";
import type { RecordedReader } from "./reader.ts";
import { type RecordedAnswer, type RecordingIndex, readAnswer } from "./recorded-answer.ts";

/** The results of reading a response, or the code and message of the error. */
export type Outcome = { readonly found: readonly unknown[] } | { readonly failure: string; readonly message: string };

export interface RecordedFile {
  readonly folder: string;
  readonly file: string;
  readonly index: RecordingIndex;
}

const TIMEOUT_MS = 30_000;

/** Serves one recorded file on loopback and reads it through the adapter of its source or tool. */
export async function readRecorded(reader: RecordedReader, recorded: RecordedFile, expected: ReadExpectation): Promise<Outcome> {
  const operation = reader.operations[expected.operation];
  if (operation === undefined) throw new Error(`There is no operation ${expected.operation} in ${reader.folder}.`);
  const { folder, file, index } = recorded;
  const main = await readAnswer(folder, file, index, expected);
  const others = await Promise.all(
    Object.entries(expected.with ?? {}).map(async ([part, name]) => [part, await readAnswer(folder, name, index, {})] as const),
  );
  const server = await startLoopback((request, response) => {
    const { status, headers, body } = answerTo(request.url ?? "", main, others);
    response.writeHead(status, headers).end(body);
  });
  const network = createNetwork({
    baseUrls: Object.fromEntries(reader.endpoints.map(({ id }) => [id, server.url])),
    allowedHosts: new Set(),
    userAgent: "dossier/recorded",
  });
  const context = { signal: AbortSignal.timeout(TIMEOUT_MS), scope: reader.endpoints.map(({ owner }) => owner) };
  try {
    return { found: await operation({ fetch: network, context, ask: expected.ask ?? {} }) };
  } catch (error) {
    const ours = toDossierError(error);
    return { failure: failureCodeOf(ours, ours.code === "internal" ? "unreadable" : "unreachable"), message: ours.message };
  } finally {
    await network.close();
    await server.close();
  }
}

function answerTo(path: string, main: RecordedAnswer, others: readonly (readonly [string, RecordedAnswer])[]): RecordedAnswer {
  return others.find(([part]) => path.includes(part))?.[1] ?? main;
}

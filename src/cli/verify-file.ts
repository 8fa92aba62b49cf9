import { createReadStream } from "node:fs";
import { PROGRAM } from "../compose/process.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { type Verdict, verifyBundle } from "../reports/bundle/verify-bundle.ts";
import type { VerifyArguments } from "./arguments.ts";
import { print, tell } from "./terminal.ts";

/** What holds and 0, or every fault and 1; 2 where it is no bundle. */
export async function verify(asked: VerifyArguments): Promise<number> {
  try {
    const { lines, holds } = await verifyFile(asked, PROGRAM);
    print(lines.map((line) => `${line}\n`).join(""));
    return holds ? 0 : 1;
  } catch (error) {
    if (toDossierError(error).code !== "bundle_invalid") throw error;
    tell(error);
    return 2;
  }
}

/** The largest bundle that is read, in bytes; all of it is in memory while it is checked. */
const MAX_BYTES = 268_435_456;

/** Whoever makes all sums again may have written anything into such a Markdown. */
const WARNING =
  "WARNING: the Markdown was NOT checked against the claims and citations: it may say what they do not, and its own counts prove nothing. Read the claims.";

/** The most doubts that are printed. */
const MAX_DOUBTS = 100;

interface Verified {
  /** What is printed: the faults, one a line, or what holds, with warnings where the Markdown was not rendered again or a claim is in doubt. */
  readonly lines: readonly string[];
  readonly holds: boolean;
}

/**
 * Checks a bundle in a file, or on standard input where the file is `-`.
 * @param program the program that checks; see `verifyBundle`
 * @throws DossierError `bundle_invalid` for what is no bundle or cannot be read
 */
export async function verifyFile({ file, digest }: VerifyArguments, program: string): Promise<Verified> {
  const verdict = verifyBundle(await readFile(file), program);
  const another = digest === undefined || verdict.digest === digest ? [] : [`digest: it is ${verdict.digest}, and ${digest} was expected`];
  const faults = [...verdict.faults, ...another];
  if (faults.length > 0) return { lines: faults, holds: false };
  const doubts = verdict.doubts.slice(0, MAX_DOUBTS).map((doubt) => `WARNING: by the rules of ${program}, which did not make it: ${doubt}`);
  return { lines: [summaryOf(verdict), ...(verdict.renderedAgain ? [] : [WARNING]), ...doubts], holds: true };
}

function summaryOf({ citations, claims, closest, documents, digest, renderedAgain }: Verdict): string {
  const passages = closest === 0 ? "" : `${count(closest, "closest passage")} ${closest === 1 ? "holds" : "hold"}, `;
  const markdown = renderedAgain ? "Markdown as rendered" : "Markdown by its sum alone";
  return `${count(citations, "citation")} ${citations === 1 ? "holds" : "hold"}, ${passages}${count(claims, "claim")}, ${count(documents, "document")}, ${markdown}, digest ${digest}`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

async function readFile(file: string): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of file === "-" ? process.stdin : createReadStream(file)) {
      length += piece.length;
      if (length > MAX_BYTES) throw new DossierError("bundle_invalid", `The file is larger than ${MAX_BYTES} bytes; it was not read.`);
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof DossierError) throw error;
    throw new DossierError("bundle_invalid", `The bundle cannot be read: ${toDossierError(error).message}`, { cause: error });
  }
  return Buffer.concat(pieces);
}

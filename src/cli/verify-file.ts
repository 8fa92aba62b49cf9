import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { PROGRAM } from "../compose/process.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { type BundleCheck, verifyBundle } from "../reports/bundle/verify-bundle.ts";
import type { VerifyArguments } from "./arguments.ts";
import { plural, print, printError, type Terminal } from "./terminal.ts";

/** Returns the exit code: 0 if the bundle has no faults, 1 if it has some, 2 if the file is not a bundle. */
export async function verify(terminal: Terminal, asked: VerifyArguments): Promise<number> {
  try {
    const { lines, holds } = await verifyFile(asked, PROGRAM, terminal.stdin);
    print(terminal, lines.map((line) => `${line}\n`).join(""));
    return holds ? 0 : 1;
  } catch (error) {
    if (toDossierError(error).code !== "bundle_invalid") throw error;
    printError(terminal, error);
    return 2;
  }
}

const MAX_BYTES = 268_435_456;

const WARNING =
  "WARNING: the Markdown was NOT checked against the claims and citations: it may say what they do not, and its own counts prove nothing. Read the claims.";

const MAX_DOUBTS = 100;

/** @throws DossierError `bundle_invalid` if the file is not a bundle or cannot be read */
export async function verifyFile({ file, digest }: VerifyArguments, program: string, stdin: Readable = process.stdin) {
  const verdict = verifyBundle(await readBytes(file === "-" ? stdin : createReadStream(file)), program);
  const another = digest === undefined || verdict.digest === digest ? [] : [`digest: it is ${verdict.digest}, and ${digest} was expected`];
  const faults = [...verdict.faults, ...another];
  if (faults.length > 0) return { lines: faults, holds: false };
  const doubts = verdict.doubts.slice(0, MAX_DOUBTS).map((doubt) => `WARNING: by the rules of ${program}, which did not make it: ${doubt}`);
  return { lines: [summaryOf(verdict), ...(verdict.renderedAgain ? [] : [WARNING]), ...doubts], holds: true };
}

function summaryOf({ citations, claims, closest, documents, digest, renderedAgain }: BundleCheck): string {
  const passages = closest === 0 ? "" : `${plural(closest, "closest passage")} ${closest === 1 ? "holds" : "hold"}, `;
  const markdown = renderedAgain ? "Markdown as rendered" : "Markdown by its sum alone";
  return `${plural(citations, "citation")} ${citations === 1 ? "holds" : "hold"}, ${passages}${plural(claims, "claim")}, ${plural(documents, "document")}, ${markdown}, digest ${digest}`;
}

async function readBytes(input: Readable): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of input) {
      length += piece.length;
      if (length > MAX_BYTES) throw new DossierError("bundle_invalid", `The file is larger than ${MAX_BYTES} bytes and was not read.`);
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof DossierError) throw error;
    throw new DossierError("bundle_invalid", `The bundle cannot be read: ${toDossierError(error).message}`, { cause: error });
  }
  return Buffer.concat(pieces);
}

// report-files.ts starts this file in a worker thread.
import { parentPort, workerData } from "node:worker_threads";
import type { ReportedRun } from "../domain/ports/run-service.ts";
import { toDocx } from "./docx/render-docx.ts";
import { toPdf } from "./pdf/render-pdf.ts";
import { viewOf } from "./view/build-view.ts";

export interface RenderingTask {
  readonly run: ReportedRun;
  readonly format: "pdf" | "docx";
  readonly program: string;
  readonly appendix: boolean;
}

export type RenderingAnswer = { readonly bytes: Uint8Array } | { readonly failure: string };

const { run, format, program, appendix }: RenderingTask = workerData;
const render = { pdf: toPdf, docx: toDocx }[format];
const answer = (message: RenderingAnswer): void => parentPort?.postMessage(message);

// The file is dated by the end of the run, so that the same run gives the same bytes.
render(viewOf(run, program, appendix), run.endedAt ?? run.createdAt).then(
  (bytes) => answer({ bytes: new Uint8Array(bytes) }),
  (error: unknown) => answer({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
);

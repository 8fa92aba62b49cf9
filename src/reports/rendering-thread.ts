// The entry of the threads that report-files.ts starts.
import { parentPort, workerData } from "node:worker_threads";
import type { ReportedRun } from "../domain/ports/run-service.ts";
import { toDocx } from "./docx/render-docx.ts";
import { formOf } from "./form/build-form.ts";
import { toPdf } from "./pdf/render-pdf.ts";

export interface RenderingTask {
  readonly run: ReportedRun;
  readonly format: "pdf" | "docx";
  readonly program: string;
}

export type RenderingAnswer = { readonly bytes: Uint8Array } | { readonly failure: string };

const { run, format, program }: RenderingTask = workerData;
const render = { pdf: toPdf, docx: toDocx }[format];
const answer = (message: RenderingAnswer): void => parentPort?.postMessage(message);

// The end of the run dates the file, so that the same run gives the same bytes.
render(formOf(run, program), run.endedAt ?? run.createdAt).then(
  (bytes) => answer({ bytes: new Uint8Array(bytes) }),
  (error: unknown) => answer({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
);

// What runs in the threads in which large files are made: see report-files.ts.
import { parentPort, workerData } from "node:worker_threads";
import { formAsDocx } from "./docx/render-docx.ts";
import { formAsPdf } from "./pdf/render-pdf.ts";
import { dateOf, formOf, type RenderingAnswer, type RenderingTask } from "./rendering-task.ts";

const { run, format, program }: RenderingTask = workerData;
const render = { pdf: formAsPdf, docx: formAsDocx }[format];

function answer(message: RenderingAnswer): void {
  parentPort?.postMessage(message);
}

render(formOf(run, program), dateOf(run)).then(
  (bytes) => answer({ bytes: new Uint8Array(bytes) }),
  (error: unknown) => answer({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
);

import { writeFile } from "node:fs/promises";
import type { Dossier } from "../compose.ts";
import type { FileFormat } from "../domain/ports/run-service.ts";
import type { Run } from "../domain/run.ts";
import { DossierError } from "../errors.ts";

export const REPORT_FORMATS = ["md", "html", "json", "pdf", "docx", "bib"] as const satisfies readonly (FileFormat | "json")[];
export type ReportFormat = (typeof REPORT_FORMATS)[number];

const SUFFIXES: Readonly<Record<string, ReportFormat>> = { markdown: "md", htm: "html" };
/** These formats are no text, so they are not printed. */
export const BINARY_FORMATS: readonly ReportFormat[] = ["pdf", "docx"];

/** Returns the format that the ending of a file's name says, otherwise null. */
export function formatOfFile(file: string): ReportFormat | null {
  const suffix = /\.([^./\\]+)$/.exec(file)?.[1]?.toLowerCase() ?? "";
  return REPORT_FORMATS.find((format) => format === suffix) ?? SUFFIXES[suffix] ?? null;
}

/** Returns the report of a run as the service serves it; null if the run has none. */
export async function renderReport({ reports }: Pick<Dossier, "reports">, run: Run, format: ReportFormat): Promise<Uint8Array | null> {
  const { report } = run;
  if (report === null) return null;
  if (format === "json") return Buffer.from(`${JSON.stringify(report)}\n`);
  return reports.render({ ...run, report }, format, new AbortController().signal);
}

/** @throws DossierError `invalid_request` if the file cannot be written */
export async function writeReport(file: string, bytes: Uint8Array): Promise<void> {
  await writeFile(file, bytes).catch((cause: Error) => {
    throw new DossierError("invalid_request", `${file} cannot be written: ${cause.message}. Name a file that can be written.`, { cause });
  });
}

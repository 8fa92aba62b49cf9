import { z } from "zod";
import { DossierError, type ErrorCode, isErrorCode } from "../errors.ts";
import { failureCodeOf } from "./failures.ts";
import { DOCUMENTS_SOURCE } from "./hit.ts";
import type { LedgerEntry } from "./report.ts";
import { READ_TYPES } from "./upload.ts";

/** A file that the user gave, or that stands in a folder of the user, and is not read. `message` says why. */
export const LeftOutFileSchema = z.object({ path: z.string(), code: z.string().refine(isErrorCode), message: z.string() });
export type LeftOutFile = z.infer<typeof LeftOutFileSchema>;

/** What to do. In Chinese also why, because messages are in English. */
const ADVICE: Partial<Record<ErrorCode, readonly [en: string, zh: string]>> = {
  empty: ["Give a copy that has text.", "没有文字，可能是扫描件。请先做文字识别（OCR），再提供带文字的文件。"],
  unreadable: ["Save it again with the program that made it, or as PDF.", "无法读取，可能已损坏。请用原来的程序重新保存，或另存为 PDF。"],
  document_too_large: ["Divide it into smaller files.", "过大。请拆分成较小的文件。"],
  timeout: ["Divide it into smaller files.", "读取超时。请拆分成较小的文件。"],
  encrypted_document: ["", "已加密，或是 2007 年以前的 Word 文件。请提供没有密码的 PDF 或 DOCX 文件。"],
  unsupported_document: ["", `不是可以读取的类型，或内容与文件名不符。可以读取：${READ_TYPES.join("、")}。`],
  out_of_scope: ["", "不是文件夹中的普通文件（例如符号链接），没有读取。请把文件本身放进文件夹。"],
};

const MAX_NAMED = 20;
const MAX_KINDS = 5;
const MAX_PATH_LENGTH = 200;
const MAX_MESSAGE_LENGTH = 300;

/** Returns an entry for each of the first 20 files, and one for the others. @param language of the search; Chinese or English is written */
export function leftOutEntries(source: string, files: readonly LeftOutFile[], language: string): LedgerEntry[] {
  const isChinese = /^zh\b/i.test(language);
  const entry = (target: string, failure: string | null, detail: string): LedgerEntry => {
    return { what: "file", source, target, outcome: "failed", results: 0, failure, detail, ms: 0 };
  };
  const named = files.slice(0, MAX_NAMED).map(({ path, code, message }) => {
    const failure = code === "encrypted_document" ? "blocked" : failureCodeOf({ code }, "unreadable");
    const [en, zh] = ADVICE[code] ?? ["", message];
    const detail = isChinese ? zh : `${message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed()} ${en}`.trim();
    return entry(path.length > MAX_PATH_LENGTH ? `…${path.slice(-MAX_PATH_LENGTH).toWellFormed()}` : path, failure, detail);
  });
  const others = files.slice(MAX_NAMED);
  if (others.length === 0) return named;
  const count = others.length === 1 ? "1 more file" : `${others.length} more files`;
  return [...named, entry(isChinese ? `另有 ${others.length} 个文件` : count, null, kindsOf(others))];
}

/** Returns the endings of the files with their numbers, such as `.png 2, .xyz 1`. */
export function kindsOf(files: readonly LeftOutFile[]): string {
  const kindOf = ({ path, code }: LeftOutFile): string =>
    code === "out_of_scope" ? "link" : (/\.[\p{L}\p{N}]{1,10}$/u.exec(path)?.[0].toLowerCase() ?? "no ending");
  const kinds = [...Map.groupBy(files, kindOf)].sort((a, b) => b[1].length - a[1].length);
  const shown = kinds.slice(0, MAX_KINDS).map(([kind, { length }]) => `${kind} ${length}`);
  return [...shown, ...(kinds.length > MAX_KINDS ? ["others"] : [])].join(", ");
}

/** The words in which a report, a page and the command line name a file that was not read. */
export function leftOutLine({ target, detail }: Pick<LedgerEntry, "target" | "detail">): string {
  return `${target}: ${detail ?? ""}`;
}

/** Several searches name the same files. */
export function nameFilesOnce(ledger: readonly LedgerEntry[]): LedgerEntry[] {
  const known = new Set<string>();
  // The set grows only by what it does not have.
  return ledger.filter(({ what, source, target }) => what !== "file" || known.size < known.add(JSON.stringify([source, target])).size);
}

/** The refusal of a request none of whose files can be read: with the code of the first, and a fault for each. @param kept what was kept or started */
export function nothingRead(files: readonly LeftOutFile[], kept: string): DossierError {
  const faults = files.map(({ message }, at) => ({ path: `/documents/${at}`, message }));
  const lines = leftOutEntries(DOCUMENTS_SOURCE, files, "en").map(leftOutLine);
  return new DossierError(files[0]?.code ?? "empty", [...lines, "No file could be read.", kept].join(" "), { faults });
}

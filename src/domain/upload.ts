/** A file as it was uploaded. `name` has no folders. */
export interface UploadedFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

export const MAX_DOCUMENTS_AT_ONCE = 20;
export const MAX_THREAD_DOCUMENTS = 100;
export const MAX_THREAD_URLS = 20;
/** The limits of one file and of all files of a request. */
export const MAX_UPLOAD_BYTES = 20_000_000;
export const MAX_UPLOADS_BYTES = 60_000_000;
/** Of the files of a thread. */
export const MAX_THREAD_BYTES = 500_000_000;
export const MAX_NAME_LENGTH = 200;
const MAX_TEXT_BYTES = 5_000_000;

export const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
export const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
export const PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation";
export const PDF = "application/pdf";

interface UploadType {
  readonly name: string;
  /** Of file names, without the dot. */
  readonly endings: string[];
  readonly mediaTypes: string[];
  /** If less than `MAX_UPLOAD_BYTES`. */
  readonly maxBytes?: number;
}

/** The types of files that are taken. */
export const UPLOAD_TYPES: readonly UploadType[] = [
  { name: "PDF", endings: ["pdf"], mediaTypes: [PDF] },
  { name: "DOCX", endings: ["docx"], mediaTypes: [DOCX] },
  { name: "XLSX", endings: ["xlsx", "xlsm"], mediaTypes: [XLSX] },
  { name: "PPTX", endings: ["pptx", "ppsx", "pptm"], mediaTypes: [PPTX] },
  { name: "HTML", endings: ["html", "htm", "xhtml"], mediaTypes: ["text/html"] },
  { name: "Markdown", endings: ["md", "markdown"], mediaTypes: ["text/markdown"], maxBytes: MAX_TEXT_BYTES },
  { name: "CSV", endings: ["csv", "tsv"], mediaTypes: ["text/csv"], maxBytes: MAX_TEXT_BYTES },
  { name: "TXT", endings: ["txt", "text"], mediaTypes: ["text/plain"], maxBytes: MAX_TEXT_BYTES },
];

/** Their names, for people. */
export const READ_TYPES: readonly string[] = UPLOAD_TYPES.map(({ name }) => name);
export const NOT_A_READ_TYPE = `Files of this type are not read. Give one of these: ${READ_TYPES.join(", ")}.`;

const TYPE_OF_ENDING: ReadonlyMap<string, string> = new Map(
  UPLOAD_TYPES.flatMap(({ endings, mediaTypes: [type = ""] }) => endings.map((ending) => [ending, type] as const)),
);
const TAKEN_TYPES: ReadonlySet<string> = new Set(TYPE_OF_ENDING.values());

/** Endings of the names of files that are taken, without the dot. */
export const UPLOADABLE: ReadonlySet<string> = new Set(TYPE_OF_ENDING.keys());

/** Returns the type that a file says it has: by its name, or by its media type if the name has no known ending. Null for a type that is not taken. */
export function uploadTypeOf({ name, mediaType }: Pick<UploadedFile, "name" | "mediaType">): string | null {
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  const declared = mediaType.toLowerCase().split(";")[0]?.trim() ?? "";
  return TYPE_OF_ENDING.get(ending) ?? (TAKEN_TYPES.has(declared) ? declared : null);
}

const SCHEME = "upload:";

/** The address of a document of a thread: the hash of its text and the name of its file. */
export function uploadUrl(contentHash: string, name: string): string {
  return `${SCHEME}${contentHash}/${encodeURIComponent(name)}`;
}

/** Returns the hash in an address of `uploadUrl`, otherwise null. */
export function uploadedHash(url: string): string | null {
  return url.startsWith(SCHEME) ? (/^[0-9a-f]{64}(?=\/)/.exec(url.slice(SCHEME.length))?.[0] ?? null) : null;
}

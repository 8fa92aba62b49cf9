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
export const MAX_NAME_LENGTH = 200;

const SCHEME = "upload:";

/** The address of a document of a thread: the hash of its text and the name of its file. */
export function uploadUrl(contentHash: string, name: string): string {
  return `${SCHEME}${contentHash}/${encodeURIComponent(name)}`;
}

/** Returns the hash in an address of `uploadUrl`, otherwise null. */
export function uploadedHash(url: string): string | null {
  return url.startsWith(SCHEME) ? (/^[0-9a-f]{64}(?=\/)/.exec(url.slice(SCHEME.length))?.[0] ?? null) : null;
}

import { type Attachments, addressesIn, NO_ATTACHMENTS } from "./attachments.ts";

/** What a drop or a paste brings. */
export function contentsOf(data: DataTransfer | null): Attachments {
  if (data === null) return NO_ATTACHMENTS;
  const files = [...data.files];
  const text = data.getData("text/uri-list") || data.getData("text/plain");
  return { files, urls: files.length > 0 ? [] : addressesIn(text) };
}

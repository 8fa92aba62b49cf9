import { z } from "zod";
import { DossierError } from "../../errors.ts";
import { plainText } from "../hits/plain-text.ts";
import { parseXml, XmlText } from "../services/parse-xml.ts";
import { readItems } from "../services/read-items.ts";

const LinkSchema = z.object({ "@href": z.string(), "@rel": z.string().optional(), "@title": z.string().optional() });

/** An entry of arXiv's Atom feed, in the shapes of before and after its change of 2025-2026; titles and abstracts are raw. */
const EntrySchema = z.object({
  id: XmlText,
  title: XmlText,
  summary: XmlText.nullish(),
  published: XmlText.nullish(),
  author: z.array(z.unknown()).nullish(),
  link: z.array(z.unknown()).nullish(),
  doi: XmlText.nullish(),
  journal_ref: XmlText.nullish(),
  comment: XmlText.nullish(),
});
export type Entry = z.infer<typeof EntrySchema>;

const FeedSchema = z.object({ feed: z.object({ entry: z.array(z.unknown()).nullish(), totalResults: XmlText.nullish() }) });
const AuthorSchema = z.object({ name: XmlText });

/** The entries of a feed, in its order. @throws DossierError `unreadable` for a feed that is an error, or that lacks what it counts */
export function readFeed(text: string): Entry[] {
  const parsed = FeedSchema.safeParse(parseXml("arxiv", text, { lists: ["entry", "author", "link"], mixed: ["title", "summary"] }));
  if (!parsed.success) throw new DossierError("unreadable", "arxiv answered with something that is no feed.");
  const { entry, totalResults } = parsed.data.feed;
  const entries = readItems("arxiv", EntrySchema, entry ?? []);
  const error = entries.find(isError);
  if (error !== undefined) throw refused(error);
  if (entries.length === 0 && Number(totalResults ?? "0") > 0)
    throw new DossierError("unreadable", `arxiv counted ${totalResults} results and sent none.`);
  return entries;
}

/** The error that a feed is, whatever its status; null where it is none or no feed. */
export function errorOfFeed(text: string): DossierError | null {
  if (!/<title[^<>]*>\s*Error\s*<\/title>/.test(text)) return null;
  try {
    readFeed(text);
    return null;
  } catch (error) {
    return error instanceof DossierError ? error : null;
  }
}

export function authorsOf({ author }: Entry): string[] {
  return (author ?? []).flatMap((one) => AuthorSchema.safeParse(one).data?.name ?? []);
}

/** The address of the link of this title, such as `pdf`. */
export function linkOf({ link }: Entry, title: string): string | null {
  const links = (link ?? []).flatMap((one) => LinkSchema.safeParse(one).data ?? []);
  return links.find((one) => one["@title"] === title)?.["@href"].replace(/^http:/, "https:") ?? null;
}

function isError({ id, title }: Entry): boolean {
  return title.trim() === "Error" || /\/api\/errors/.test(id);
}

function refused({ summary }: Entry): DossierError {
  return new DossierError("unreadable", `arxiv refused the question: ${plainText(summary ?? "").slice(0, 200) || "it gives no reason"}.`);
}

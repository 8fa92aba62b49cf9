import { useCallback } from "react";
import { withTextFragment } from "../../../../src/util/text-fragment.ts";
import { atBase } from "../../api/base-path.ts";
import { hasOriginal, originalPath } from "../../api/endpoints.ts";
import { useWords } from "../../i18n/language.tsx";
import { useResource } from "../../ui/use-resource.ts";
import { readWords } from "./read-words.ts";
import { useReport } from "./report-context.ts";

interface LocalOriginalProps {
  readonly contentHash: string;
  readonly file: "corpus" | "upload";
  /** Browsers scroll to it in texts and web pages. */
  readonly quote: string | null;
}

/** Opens the file of the server's folder or of the thread that a document was read from, or says that it is not there as it was. */
export function LocalOriginal({ contentHash, file, quote }: LocalOriginalProps) {
  const say = useWords(readWords);
  const { id } = useReport().run;
  const { data } = useResource(useCallback((signal: AbortSignal) => hasOriginal(id, contentHash, signal), [id, contentHash]));
  if (data === null) return null;
  if (!data) return <span className="quiet">{say(file === "corpus" ? "originalChanged" : "originalGone")}</span>;
  const path = originalPath(id, contentHash);
  return (
    <a href={atBase(quote === null ? path : withTextFragment(path, quote))} target="_blank" rel="noreferrer noopener">
      {say("openOriginal")}
    </a>
  );
}

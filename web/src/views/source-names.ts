import type { SourceState } from "../../../src/domain/ports/run-service.ts";
import { useWords } from "../i18n/language.tsx";
import { defineWords } from "../i18n/words.ts";

const words = defineWords({ corpus: "Local documents", upload: "Attached files" }, { corpus: "本地文档", upload: "附加的文件" });

/** Sources of this server's own are named in the reader's language; others by their own name. */
export function useSourceName(): (source: Pick<SourceState, "id" | "kind" | "title">) => string {
  const say = useWords(words);
  return ({ id, kind, title }) => (kind === "tool" ? id : Object.hasOwn(words.en, id) ? say(id as keyof (typeof words)["en"]) : title);
}

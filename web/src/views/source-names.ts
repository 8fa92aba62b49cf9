import type { SourceState } from "../../../src/domain/ports/run-service.ts";
import { useWords } from "../i18n/language.tsx";
import { defineWords } from "../i18n/words.ts";

const words = defineWords(
  { corpus: "Local documents", upload: "Attached files", mcpServer: "MCP server {name}" },
  { corpus: "本地文档", upload: "附加的文件", mcpServer: "MCP 服务器 {name}" },
);

/** Sources of this server's own are named in the reader's language; others by their own name. */
export function useSourceName(): (source: Pick<SourceState, "id" | "kind" | "title">) => string {
  const say = useWords(words);
  return ({ id, kind, title }) => {
    if (kind === "tool") return id;
    if (kind === "mcp") return say("mcpServer", { name: id.replace(/^mcp:/, "") });
    return Object.hasOwn(words.en, id) ? say(id as keyof (typeof words)["en"]) : title;
  };
}

import { useWords } from "../i18n/language.tsx";
import { defineWords } from "../i18n/words.ts";

const words = defineWords(
  {
    upload: "Attached files",
    corpus: "Folder of the server",
    web: "The web",
    scholar: "Science",
    encyclopedia: "Encyclopedias",
    filing: "Filings",
    market: "Markets",
    tool: "Tools",
    mcp: "MCP servers",
    other: "Others",
  },
  {
    upload: "附加的文件",
    corpus: "服务器的文件夹",
    web: "网页",
    scholar: "学术",
    encyclopedia: "百科",
    filing: "公告",
    market: "市场",
    tool: "工具",
    mcp: "MCP 服务器",
    other: "其他",
  },
);

/** Names a kind of sources; one that is not known keeps its own name. */
export function useKindName(): (kind: string) => string {
  const say = useWords(words);
  return (kind) => (Object.hasOwn(words.en, kind) ? say(kind as keyof (typeof words)["en"]) : kind);
}

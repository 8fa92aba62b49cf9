import { defineWords } from "../i18n/words.ts";

export const uiWords = defineWords(
  {
    loading: "Loading",
    unreachable: "The server does not answer",
    unreachableHelp: "Nothing is lost that it has stored. Check that Dossier runs, then try again.",
    refused: "The server refused this",
    retry: "Try again",
    close: "Close",
  },
  {
    loading: "正在加载",
    unreachable: "服务器没有响应",
    unreachableHelp: "服务器已保存的内容都还在。请确认 Dossier 正在运行，然后重试。",
    refused: "服务器拒绝了请求",
    retry: "重试",
    close: "关闭",
  },
);

import { defineWords } from "../i18n/words.ts";

export const uiWords = defineWords(
  {
    loading: "Loading",
    unreachable: "The server does not answer",
    unreachableHelp: "Nothing is lost that it has stored. Check that Dossier runs, then try again.",
    refused: "The server refused this",
    retry: "Try again",
    close: "Close",
    tooLong: "{count} characters; at most {max} are taken. Shorten it.",
    tooLongAttach: "{count} characters; at most {max} are taken. Shorten it, or attach it as a file.",
    serverSaid: "In the words of the server",
  },
  {
    loading: "正在加载",
    unreachable: "服务器没有响应",
    unreachableHelp: "服务器已保存的内容都还在。请确认 Dossier 正在运行，然后重试。",
    refused: "服务器拒绝了请求",
    retry: "重试",
    close: "关闭",
    tooLong: "共 {count} 个字符，最多 {max} 个。请缩短。",
    tooLongAttach: "共 {count} 个字符，最多 {max} 个。请缩短，或作为文件附加。",
    serverSaid: "服务器的原话",
  },
);

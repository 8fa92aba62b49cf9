import type { RunStatus } from "../../../src/domain/run.ts";
import { useWords } from "../i18n/language.tsx";
import { defineWords } from "../i18n/words.ts";

/** The states of a run. */
export const statusWords = defineWords(
  { queued: "Queued", running: "Working", waiting: "Waiting for you", succeeded: "Done", failed: "Failed", cancelled: "Cancelled" },
  { queued: "排队中", running: "进行中", waiting: "等你答复", succeeded: "已完成", failed: "失败", cancelled: "已取消" },
);

const TONES: Readonly<Record<RunStatus, string>> = {
  queued: "",
  running: "tag-accent",
  waiting: "tag-attention",
  succeeded: "tag-good",
  failed: "tag-problem",
  cancelled: "",
};

/** @param isEmpty whether the run ended well and has no answer, which is nothing to be glad of */
export function StatusTag({ status, isEmpty }: { readonly status: RunStatus; readonly isEmpty: boolean }) {
  const say = useWords(statusWords);
  return <span className={`tag ${isEmpty ? "" : TONES[status]}`}>{say(status)}</span>;
}

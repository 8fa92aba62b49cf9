import { useWords } from "../i18n/language.tsx";
import { defineWords } from "../i18n/words.ts";

const words = defineWords(
  {
    pending: "Not started",
    executing: "Working",
    running: "Working",
    waiting: "Waiting",
    completed: "Done",
    failed: "Failed",
    skipped: "Skipped",
  },
  {
    pending: "未开始",
    executing: "进行中",
    running: "进行中",
    waiting: "等待中",
    completed: "已完成",
    failed: "失败",
    skipped: "已跳过",
  },
);

type State = keyof (typeof words)["en"];
const TONES: Readonly<Partial<Record<State, string>>> = {
  executing: "tag-accent",
  running: "tag-accent",
  waiting: "tag-attention",
  completed: "tag-good",
  failed: "tag-problem",
};

/** The state of a todo or an agent. One that this page does not know is shown as it is written. */
export function StateMark({ state }: { readonly state: string }) {
  const say = useWords(words);
  if (!Object.hasOwn(words.en, state)) return <span className="tag">{state || "…"}</span>;
  const known = state as State;
  return <span className={`tag ${TONES[known] ?? ""}`}>{say(known)}</span>;
}

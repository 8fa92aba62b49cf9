import type { Say } from "../../i18n/language.tsx";
import type { componentWords } from "./component-words.ts";

const STATES = ["pending", "executing", "running", "waiting", "completed", "failed", "skipped"] as const;
const TONES: Readonly<Record<(typeof STATES)[number], string>> = {
  pending: "",
  executing: "tag-accent",
  running: "tag-accent",
  waiting: "tag-attention",
  completed: "tag-good",
  failed: "tag-problem",
  skipped: "",
};

type Words = keyof (typeof componentWords)["en"];

/** The state of a todo. One that this page does not know is shown as it is written. */
export function StatusMark({ status, say }: { readonly status: string; readonly say: Say<Words> }) {
  const known = STATES.find((state) => state === status);
  if (known === undefined) return <span className="tag">{status || "…"}</span>;
  return <span className={`tag ${TONES[known]}`}>{say(`status_${known}`)}</span>;
}

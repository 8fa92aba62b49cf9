import { atBase } from "../../api/base-path.ts";
import { formatTime } from "../../i18n/format.ts";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { runAddress } from "../../ui/addresses.ts";
import { statusWords } from "../../ui/status-tag.tsx";
import { useReport } from "./report-context.ts";

/** What paper cannot look up: the state of the run, its times, and where it is. */
export function PrintedHead() {
  const say = useWords(statusWords);
  const { language } = useLanguage();
  const { run, places } = useReport();
  const when = formatTime(run.endedAt ?? run.createdAt, language);
  const where = places.isStored ? new URL(atBase(runAddress(run.id)), location.href).href : run.id;
  return <p className="read-printed-head">{[say(run.status), when, where].join(" · ")}</p>;
}

import { type ReactNode, useDeferredValue, useId, useMemo, useState } from "react";
import type { Report, Source } from "../../../../src/domain/report.ts";
import { useWords } from "../../i18n/language.tsx";
import { OuterLink } from "../../ui/outer-link.tsx";
import { useFailureText } from "../failure-text.ts";
import { DocumentLink } from "./document-link.tsx";
import { readWords } from "./read-words.ts";
import { useReport } from "./report-context.ts";
import { factsOf, type Note } from "./source-facts.ts";

type Status = "cited" | Source["status"];

interface Listed {
  readonly source: Source;
  readonly status: Status;
  readonly notes: readonly Note[];
  /** Lower-case text that the filter looks through. */
  readonly searched: string;
}

/** Quoted sources first, in the order of their notes, then the others as they were found. */
function listSources({ sources }: Report, notes: ReadonlyMap<number, Note>): Listed[] {
  const bySource = Map.groupBy(notes.values(), ({ passage }) => passage.sourceId);
  const listed = sources.map((source): Listed => {
    const own = bySource.get(source.id) ?? [];
    const texts = [source.title, source.url, source.publication?.venue ?? "", ...(source.publication?.authors ?? [])];
    return { source, notes: own, status: own.length > 0 ? "cited" : source.status, searched: texts.join("\n").toLowerCase() };
  });
  const firstNote = ({ notes: [first] }: Listed): number => first?.number ?? Number.MAX_SAFE_INTEGER;
  return listed.toSorted((a, b) => firstNote(a) - firstNote(b));
}

/** All sources of a run, with filters by words, kind and state. */
export function SourceList() {
  const say = useWords(readWords);
  const { report, notes } = useReport();
  const listed = useMemo(() => listSources(report, notes), [report, notes]);
  const [text, setText] = useState("");
  const [kind, setKind] = useState<Source["kind"] | "all">("all");
  const [status, setStatus] = useState<Status | "all">("all");
  const words = useDeferredValue(text).toLowerCase().trim();
  if (listed.length === 0) return null;
  const shown = listed.filter(
    (one) => one.searched.includes(words) && (kind === "all" || one.source.kind === kind) && (status === "all" || one.status === status),
  );
  return (
    <section className="read-sources" aria-labelledby="read-sources">
      <h2 id="read-sources">{say("sources")}</h2>
      <div className="read-filters">
        <input
          type="search"
          aria-label={say("filterText")}
          placeholder={say("filterText")}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Choice label={say("filterKind")} values={[...new Set(listed.map(({ source }) => source.kind))]} value={kind} onChange={setKind} />
        <Choice label={say("filterStatus")} values={[...new Set(listed.map((one) => one.status))]} value={status} onChange={setStatus} />
        <span className="quiet" role="status">
          {say("shownOf", { shown: shown.length, count: listed.length })}
        </span>
      </div>
      {shown.length === 0 && <p>{say("noSuchSource")}</p>}
      <ul className="bare">
        {shown.map((one) => (
          <SourceRow key={one.source.id} {...one} />
        ))}
      </ul>
    </section>
  );
}

interface ChoiceProps<Value extends Status | Source["kind"]> {
  readonly label: string;
  readonly values: readonly Value[];
  readonly value: Value | "all";
  readonly onChange: (value: Value | "all") => void;
}

function Choice<Value extends Status | Source["kind"]>({ label, values, value, onChange }: ChoiceProps<Value>): ReactNode {
  const say = useWords(readWords);
  const id = useId();
  return (
    <span className="read-choice">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value as Value | "all")}>
        {["all" as const, ...values].map((option) => (
          <option key={option} value={option}>
            {say(option)}
          </option>
        ))}
      </select>
    </span>
  );
}

function SourceRow({ source, status, notes }: Listed) {
  const say = useWords(readWords);
  const failureText = useFailureText();
  const { title, publisher, date, href, retracted } = factsOf(source);
  const { publication, failure, contentHash } = source;
  const authors = publication?.authors.slice(0, 3).join(", ") ?? "";
  const details = [authors, publisher, date].filter((part) => part !== "" && part !== title);
  return (
    <li>
      <p>
        {retracted && <strong className="read-alarm">{say("retracted")} </strong>}
        {href === null ? <bdi>{title}</bdi> : <OuterLink url={href}>{<bdi>{title}</bdi>}</OuterLink>}{" "}
        {notes.map(({ number, passage }) => (
          <DocumentLink key={number} className="read-cite" place={passage} aria-label={say("note", { number: String(number), title })}>
            [{number}]
          </DocumentLink>
        ))}
      </p>
      <p className="quiet">
        <bdi>{details.map((detail) => `${detail} · `)}</bdi>
        {say(source.kind)} · <span className={`read-status-${status}`}>{say(status)}</span>
        {status === "cited" && source.status === "snippet" && <> · {say("snippet")}</>}
        {failure !== null && <> · {failureText(failure)}</>}
        {contentHash !== null && (
          <span className="read-show">
            {" · "}
            <DocumentLink place={{ contentHash, start: null, end: null }}>{say("showText")}</DocumentLink>
          </span>
        )}
      </p>
    </li>
  );
}

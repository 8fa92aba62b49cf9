import { useContext } from "react";
import type { JsonValue } from "../../../../src/domain/json.ts";
import { formatDuration, formatNumber } from "../../i18n/format.ts";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { Fold } from "../../ui/fold.tsx";
import { isWebAddress, OuterLink, placeOf } from "../../ui/outer-link.tsx";
import { plainTitle } from "../../ui/plain-title.ts";
import { readableAddress } from "../../ui/readable-address.ts";
import { isEnded } from "../../view-model/ended.ts";
import { nowOf } from "../../view-model/now.ts";
import type { CallPart, ComponentPart, DocumentPart, FailurePart, Part, ToolPart } from "../../view-model/part.ts";
import { ShownComponent } from "../components/shown-component.tsx";
import { FailureNote } from "../failure-note.tsx";
import { useSourceName } from "../source-names.ts";
import { DecisionRow, RewrittenRow } from "./decision-row.tsx";
import { FoundRow, NotesRow } from "./found-row.tsx";
import { ShownViewContext } from "./shown-view.ts";
import { stepWords } from "./step-words.ts";

/** One entry below a step. */
export function PartRow({ part }: { readonly part: Part }) {
  const say = useWords(stepWords);
  switch (part.kind) {
    case "decision":
      return <DecisionRow part={part} />;
    case "tool":
      return <ToolRow part={part} />;
    case "found":
      return <FoundRow part={part} />;
    case "document":
      return <DocumentRow part={part} />;
    case "call":
      return <CallRow part={part} />;
    case "component":
      return <ComponentRow part={part} />;
    case "notes":
      return <NotesRow part={part} />;
    case "rewritten":
      return <RewrittenRow part={part} />;
    case "failure":
      return <FailureRow part={part} />;
    case "round":
      return <p className="quiet">{say("round", { round: part.round, results: part.results, total: part.totalResults })}</p>;
    case "loop-end":
      return <p className="quiet">{say("loopEnd", { count: part.rounds, reason: say(`loop_${part.reason}`) })}</p>;
  }
}

/** The draft of a report is folded away once the report stands: it says the same once more. */
function ComponentRow({ part: { component, props, partial } }: { readonly part: ComponentPart }) {
  const say = useWords(stepWords);
  const { status } = useContext(ShownViewContext);
  const shown = <ShownComponent component={component} props={props} partial={partial} />;
  if (component !== "summary-response" || !isEnded(status)) return shown;
  return (
    <Fold className="part" summary={say("answerDraft")}>
      {() => shown}
    </Fold>
  );
}

function ToolRow({ part }: { readonly part: ToolPart }) {
  const say = useWords(stepWords);
  const { language } = useLanguage();
  const { ok, tool, error, results, durationMs, reused } = part;
  const summary = (
    <>
      <code>{tool}</code> <span className="part-line">{oneLine(part.arguments)}</span>{" "}
      {ok === null && <span className="tag tag-accent">{say("toolRuns")}</span>}
      {ok === false && <span className="tag tag-problem">{say("toolFailed")}</span>}
      {ok === true && <span className="quiet">{say("results", { count: results })}</span>}
      {durationMs !== null && <span className="quiet"> {formatDuration(durationMs, language)}</span>}
    </>
  );
  const shown = part.content.filter(isComponent);
  const texts = part.content.filter((item) => !isComponent(item));
  return (
    <>
      <Fold className="part" summary={summary}>
        {() => (
          <>
            <h4>{say("arguments")}</h4>
            <pre>{JSON.stringify(part.arguments, null, 2)}</pre>
            {reused && <p className="quiet">{say("reused")}</p>}
            {error !== null && (
              <div className="field-fault">
                <FailureNote {...error} />
              </div>
            )}
            {texts.length > 0 && <h4>{say("result")}</h4>}
            <ToolContents items={texts} />
          </>
        )}
      </Fold>
      <ToolContents items={shown} />
    </>
  );
}

function isComponent({ type }: ToolPart["content"][number]): boolean {
  return type === "component" || type === "webcomponent";
}

function ToolContents({ items }: { readonly items: ToolPart["content"] }) {
  // The list never changes its order.
  // biome-ignore lint/suspicious/noArrayIndexKey: entries have no ids
  return items.map((item, index) => <ToolContent key={index} item={item} />);
}

function ToolContent({ item }: { readonly item: ToolPart["content"][number] }) {
  if (item.type === "text") return <pre>{item.text}</pre>;
  if (item.type === "component") return <ShownComponent component={item.component} props={item.props} partial={false} />;
  if (item.type === "webcomponent") return <ShownComponent component="webcomponent" props={item as unknown as JsonValue} partial={false} />;
  return <pre>{JSON.stringify(item.json, null, 2)}</pre>;
}

function DocumentRow({ part }: { readonly part: DocumentPart }) {
  const say = useWords(stepWords);
  const { failure, title, url, characters, incomplete } = part;
  return (
    <div className="part">
      <OuterLink url={url}>
        <bdi>{plainTitle(title) || readableAddress(url)}</bdi>
      </OuterLink>{" "}
      <span className="quiet">{isWebAddress(url) && placeOf(url)}</span>{" "}
      {failure === null ? (
        <span className="quiet">{say("docRead", { count: characters })}</span>
      ) : (
        <>
          <span className="tag tag-attention">{say("notRead")}</span> <span className="quiet">{say(fallbackWord(failure.fallback))}</span>{" "}
          <FailureNote {...failure} />
        </>
      )}
      {incomplete !== null && <span className="tag tag-attention">{say("incomplete", { what: incomplete })}</span>}
    </div>
  );
}

function fallbackWord(fallback: string): "fallback_snippet" | "fallback_alternative" | "fallback_none" {
  if (fallback === "snippet") return "fallback_snippet";
  return fallback === "alternative" ? "fallback_alternative" : "fallback_none";
}

function CallRow({ part }: { readonly part: CallPart }) {
  const say = useWords(stepWords);
  const { language } = useLanguage();
  const now = nowOf(useContext(ShownViewContext));
  const { model, tokens, reasoning, cut, state } = part;
  // What is written at this moment stands above the steps.
  const text = now.kind === "call" && now.call.id === part.id ? "" : part.text;
  const amount = (count: number): string => formatNumber(count, language);
  const summary = (
    <>
      {say("call")} {model !== null && <code>{model}</code>}{" "}
      {tokens !== null && (
        <span className="quiet">{say("callTokens", { input: amount(tokens.input), output: amount(tokens.output) })}</span>
      )}
      {part.try > 1 && <span className="tag tag-attention">{say("tried", { count: part.try })}</span>}
      {state !== "ended" && <span className="tag tag-accent">{say("toolRuns")}</span>}
    </>
  );
  // The tools that it calls have rows of their own.
  if (text === "" && reasoning === "") return <p className="part part-plain">{summary}</p>;
  return (
    <Fold className="part" summary={summary}>
      {() => (
        <>
          {cut && <p className="quiet">{say("cut")}</p>}
          {reasoning !== "" && (
            <>
              <h4>{say("reasoning")}</h4>
              <pre className="part-text">{reasoning}</pre>
            </>
          )}
          {text !== "" && (
            <>
              <h4>{say("text")}</h4>
              <pre className="part-text">{text}</pre>
            </>
          )}
        </>
      )}
    </Fold>
  );
}

const FAILURES = { search: "searchFailed", rerank: "rerankFailed", model: "modelFailed" } as const;

function FailureRow({ part }: { readonly part: FailurePart }) {
  const say = useWords(stepWords);
  const { what, name, code, message, query, fallback } = part;
  const sourceText = useSourceName();
  const sourceName = (id: string): string => sourceText({ id, kind: "", title: id });
  return (
    <div className="part">
      {say(FAILURES[what], { name: sourceName(name) })}{" "}
      <span className="quiet">
        {query !== null && `(${query})`} {fallback !== null && say("instead", { fallback: sourceName(fallback) })}
      </span>{" "}
      <FailureNote code={code} message={message} />
    </div>
  );
}

const MAX_LINE = 120;

function oneLine(value: JsonValue): string {
  const plain = value !== null && typeof value === "object" && !Array.isArray(value) ? Object.values(value) : [value];
  const line = plain.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join(", ");
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
}

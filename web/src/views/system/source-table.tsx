import type { SourceState } from "../../../../src/domain/ports/run-service.ts";
import { formatList } from "../../i18n/format.ts";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { ServerWords } from "../../ui/server-words.tsx";
import { useSourceName } from "../source-names.ts";
import { HealthMark } from "./health-mark.tsx";
import { systemWords } from "./system-words.ts";

export interface SourceTableProps {
  readonly title: string;
  readonly sources: readonly SourceState[];
  readonly empty?: string;
}

export function SourceTable({ title, sources, empty }: SourceTableProps) {
  const sourceName = useSourceName();
  if (sources.length === 0 && empty === undefined) return null;
  return (
    <section className="system-section">
      <h2>{title}</h2>
      {sources.length === 0 && <p className="quiet">{empty}</p>}
      <ul className="bare system-sources">
        {sources.map((source) => (
          <li key={source.id}>
            <div>
              <p>{source.kind === "tool" ? <code>{source.id}</code> : sourceName(source)}</p>
              {source.kind === "tool" && <p className="quiet">{source.title}</p>}
              {source.server !== undefined && <Server server={source.server} />}
            </div>
            <SourceHealth source={source} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function SourceHealth({ source: { id, configured, setting, lastTry } }: { readonly source: SourceState }) {
  const say = useWords(systemWords);
  if (configured) return <HealthMark lastTry={lastTry} />;
  return (
    <span className="quiet">
      {setting === undefined ? say("missing") : setting === "SOURCES" ? say("setName", { id }) : <SetLine setting={setting} />}
    </span>
  );
}

function SetLine({ setting }: { readonly setting: string }) {
  const say = useWords(systemWords);
  const [before = "", after = ""] = say("set", { setting: "\u0000" }).split("\u0000");
  return (
    <>
      {before}
      <code>{setting}</code>
      {after}
    </>
  );
}

function Server({ server }: { readonly server: NonNullable<SourceState["server"]> }) {
  const say = useWords(systemWords);
  const { language } = useLanguage();
  const { connected, graphs, tools, message } = server;
  return (
    <>
      <p className="quiet">
        {[say(connected ? "connected" : "notConnected"), say("serverTools", { count: tools.length })]
          .concat(graphs === null ? [] : [say("onlyGraphs", { graphs: formatList(graphs, language) })])
          .join(" · ")}
      </p>
      {message !== null && (language === "en" ? <p className="field-fault">{message}</p> : <ServerWords>{message}</ServerWords>)}
      <ul className="system-tools">
        {tools.map(({ name, kind }) => (
          <li key={name}>
            <code>{name}</code> {kind === "mutation" && <span className="quiet">{say("mutation")}</span>}
          </li>
        ))}
      </ul>
    </>
  );
}

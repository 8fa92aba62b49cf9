import type { DataState } from "../../../../src/domain/ports/run-service.ts";
import { atBase } from "../../api/base-path.ts";
import type { Problem } from "../../api/problem.ts";
import { formatBytes, formatList } from "../../i18n/format.ts";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { sayProblem } from "../../ui/say-problem.ts";
import { useGraphName } from "../graph-names.ts";
import { systemWords } from "./system-words.ts";

export interface ServiceCardProps {
  readonly version: string;
  readonly ready: { readonly data: DataState } | { readonly problem: Problem };
  readonly graphs: readonly { readonly name: string; readonly description: string }[];
}

export function ServiceCard({ version, ready, graphs }: ServiceCardProps) {
  const graphName = useGraphName();
  const { language } = useLanguage();
  const say = useWords(systemWords);
  return (
    <section className="card system-card">
      <h2>{say("service")}</h2>
      <dl className="facts">
        <dt>{say("version")}</dt>
        <dd>{version}</dd>
        <dt>{say("data")}</dt>
        <dd>
          {"problem" in ready ? (
            <span className="tag tag-problem">{say("refuses", { reason: sayProblem(ready.problem, language).line })}</span>
          ) : (
            <Data data={ready.data} />
          )}
        </dd>
        <dt>{say("graphs")}</dt>
        <dd>
          {formatList(
            graphs.map(({ name }) => `${graphName(name)} (${name})`),
            language,
          )}
        </dd>
      </dl>
      {/* Served by the API, not by this page. */}
      <a href={atBase("/docs")}>{say("docs")}</a>
    </section>
  );
}

function Data({ data: { bytes, tooLarge } }: { readonly data: DataState }) {
  const say = useWords(systemWords);
  const { language } = useLanguage();
  return (
    <>
      {formatBytes(bytes, language)} <span className="tag tag-good">{say("accepts")}</span>{" "}
      {tooLarge && <span className="tag tag-attention">{say("dataTooLarge")}</span>}
    </>
  );
}

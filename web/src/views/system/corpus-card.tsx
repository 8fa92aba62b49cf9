import { useCallback } from "react";
import { getCorpus } from "../../api/endpoints.ts";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { Loading, ProblemNotice } from "../../ui/notice.tsx";
import { useResource } from "../../ui/use-resource.ts";
import { systemWords } from "./system-words.ts";

/** What the operator's folder holds. Servers without the route are said to be silent about it. */
export function CorpusCard() {
  const say = useWords(systemWords);
  const { language } = useLanguage();
  const { data, problem, reload } = useResource(useCallback((signal: AbortSignal) => getCorpus(signal), []));
  const names = new Intl.DisplayNames([language], { type: "language" });
  return (
    <section className="card system-card">
      <h2>{say("corpus")}</h2>
      {problem?.status === 404 && <p className="quiet">{say("corpusUnknown")}</p>}
      {problem !== null && problem.status !== 404 && <ProblemNotice problem={problem} onRetry={reload} />}
      {problem === null && data === null && <Loading />}
      {data !== null && (
        <>
          <p className="quiet">{say("corpusHelp")}</p>
          <p>{say("corpusDocuments", { count: data.total })}</p>
          {data.failed > 0 && <p className="field-fault">{say("corpusFailed", { count: data.failed })}</p>}
          {data.from !== null && data.to !== null && (
            <p className="quiet">{say("corpusDates", { from: data.from.slice(0, 10), to: data.to.slice(0, 10) })}</p>
          )}
          <p className="row">
            {data.languages.slice(0, 6).map(({ language: tag, documents }) => (
              <span key={tag} className="tag">
                {tag === null ? say("unknownLanguage") : names.of(tag)} {documents}
              </span>
            ))}
          </p>
        </>
      )}
    </section>
  );
}

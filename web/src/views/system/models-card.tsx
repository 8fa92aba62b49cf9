import type { ModelsState } from "../../../../src/domain/ports/run-service.ts";
import { formatNumber } from "../../i18n/format.ts";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { HealthMark } from "./health-mark.tsx";
import { systemWords } from "./system-words.ts";

export function ModelsCard({ models }: { readonly models: ModelsState }) {
  const say = useWords(systemWords);
  const { language } = useLanguage();
  if (!models.configured) {
    return (
      <section className="card system-card">
        <h2>{say("models")}</h2>
        <p>{say("noModel")}</p>
        <p className="quiet">{say("modelHelp")}</p>
      </section>
    );
  }
  const roles = Object.entries(models.roles);
  return (
    <section className="card system-card">
      <h2>{say("models")}</h2>
      <dl className="facts">
        <dt>{say("model")}</dt>
        <dd>{models.default === null ? say("anyModel") : <code>{models.default}</code>}</dd>
        <dt>{say("server")}</dt>
        <dd>
          <code>{models.server}</code>
        </dd>
        {roles.length > 0 && <dt>{say("roles")}</dt>}
        {roles.map(([role, model]) => (
          <dd key={role}>
            {role}: <code>{model}</code>
          </dd>
        ))}
        {models.contextTokens !== null && <dt>{say("context")}</dt>}
        {models.contextTokens !== null && <dd>{say("contextTokens", { count: formatNumber(models.contextTokens, language) })}</dd>}
        <dt>{say("ranker")}</dt>
        <dd>{models.ranker ?? <span className="quiet">{say("noRanker")}</span>}</dd>
        <dt>{say("lastTry")}</dt>
        <dd>
          <HealthMark lastTry={models.lastTry} />
        </dd>
      </dl>
    </section>
  );
}

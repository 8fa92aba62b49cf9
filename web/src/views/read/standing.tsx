import { useWords } from "../../i18n/language.tsx";
import { Fold } from "../../ui/fold.tsx";
import { readWords } from "./read-words.ts";
import { useReport } from "./report-context.ts";
import { countBySupport } from "./support.ts";
import { SIGNS, SUPPORT_KINDS, supportWords } from "./support-words.ts";

/** How far the report answers, what is missing, and in one line what its sentences stand on. */
export function Standing() {
  const say = useWords(readWords);
  const { run, report, isUncited } = useReport();
  const { answers, missing, unanswered = [], cutOff, ledger, claims } = report;
  const hasModel = run.usage.modelCalls > 0;
  const files = ledger.filter(({ what }) => what === "file");
  const failed = ledger.filter(({ what, outcome }) => what === "model" && outcome === "failed");
  const modelFailed = failed.some(({ target }) => target !== "form");
  const formless = failed.some(({ target }) => target === "form");
  return (
    <div className="read-standing">
      {answers !== null && (
        <p className={`read-answers read-answers-${answers}`}>{hasModel ? say("judged", { what: say(answers) }) : say(answers)}</p>
      )}
      {claims.length > 0 && !hasModel && <p className="quiet">{say("noModel")}</p>}
      {/* In the words of the server, as the report's files and the command line have them. */}
      <Items title={say("filesNotRead")} items={files.map(({ target, detail }) => `${target}: ${detail ?? ""}`)} />
      <Items title={say("missing")} items={missing} />
      <Items title={say("unanswered")} items={unanswered} />
      {isUncited && <p>{say("uncited")}</p>}
      {cutOff === true && <p>{say("cutOff")}</p>}
      {modelFailed && <p>{say("modelFailed")}</p>}
      {formless && <p>{say("formless")}</p>}
      {claims.length > 0 && <Counts />}
    </div>
  );
}

function Items({ title, items }: { readonly title: string; readonly items: readonly string[] }) {
  if (items.length === 0) return null;
  return (
    <div className="read-missing">
      <p className="quiet">{title}</p>
      <ul>
        {items.map((item) => (
          <li key={item} dir="auto">
            {item}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Counts() {
  const say = useWords(readWords);
  const { report } = useReport();
  const counts = countBySupport(report.claims);
  const leftOut = report.struck.length > 0 ? report.struck.length : (report.coverage.struck ?? 0);
  const parts = counts.map(([kind, count]) => say("count", { count, kind: say(`${kind}Many`) }));
  const all = [say("sentences", { count: report.claims.length }), ...parts, ...(leftOut > 0 ? [say("leftOut", { count: leftOut })] : [])];
  return (
    <Fold
      className="read-legend"
      summary={
        <span className="quiet">
          {all.join(" · ")}
          <span className="read-legend-more">
            {" · "}
            <span className="read-legend-name">{say("legend")}</span>
          </span>
        </span>
      }
    >
      {() => <Legend />}
    </Fold>
  );
}

function Legend() {
  const say = useWords(readWords);
  const sayKind = useWords(supportWords);
  return (
    <dl className="facts read-legend-list" aria-label={say("legend")}>
      <div>
        <dt className="read-cite">[1]</dt>
        <dd>{say("legendSource")}</dd>
      </div>
      {SUPPORT_KINDS.map((kind) => (
        <div key={kind}>
          <dt className={`read-sign read-sign-${kind}`}>{SIGNS[kind]}</dt>
          <dd>
            <strong>{sayKind(kind)}</strong> {sayKind(`${kind}Help`)}
          </dd>
        </div>
      ))}
      <div className="read-legend-keys">
        <dt>
          <kbd>←</kbd> <kbd>→</kbd>
        </dt>
        <dd>{say("legendKeys")}</dd>
      </div>
    </dl>
  );
}

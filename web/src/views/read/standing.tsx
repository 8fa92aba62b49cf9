import { isOnlyQuotes, verdictOf } from "../../../../src/words/verdict.ts";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { Fold } from "../../ui/fold.tsx";
import { readWords } from "./read-words.ts";
import { useReport } from "./report-context.ts";
import { countBySupport, deviationOf } from "./support.ts";
import { supportWords } from "./support-words.ts";

/** Who judged how far the report answers, what is missing, and in one line what its sentences stand on. */
export function Standing() {
  const say = useWords(readWords);
  const { language } = useLanguage();
  const { report, isUncited, isOfOneOrigin } = useReport();
  const { missing, cutOff, ledger, claims } = report;
  const { strength, text } = verdictOf(report, language);
  const files = ledger.filter(({ what }) => what === "file");
  const failed = ledger.filter(({ what, outcome }) => what === "model" && outcome === "failed");
  const modelFailed = failed.some(({ target }) => target !== "form");
  const formless = failed.some(({ target }) => target === "form");
  return (
    <div className="read-standing">
      {claims.length > 0 && <p className={`read-verdict read-verdict-${strength}`}>{text}</p>}
      {/* In the words of the server, as the report's files and the command line have them. */}
      <Items title={say("filesNotRead")} items={files.map(({ target, detail }) => `${target}: ${detail ?? ""}`)} />
      <Items title={say("missing")} items={missing} />
      {isOfOneOrigin && <p>{say("allOneOrigin")}</p>}
      {cutOff === true && <p>{say("cutOff")}</p>}
      {modelFailed && <p>{say("modelFailed")}</p>}
      {formless && <p>{say("formless")}</p>}
      {claims.length > 0 && !isUncited && !isOnlyQuotes(report) && <Counts />}
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
  const leftOut = report.struck.length > 0 ? report.struck.length : report.coverage.removed;
  const parts = countBySupport(report.claims).map(([kind, count]) => say("count", { count, kind: say(`${kind}Many`) }));
  const counted = say("sentences", { count: report.claims.length, kinds: parts.join(" · ") });
  return (
    <Fold
      className="read-legend"
      summary={
        <span className="quiet">
          {[counted, ...(leftOut > 0 ? [say("leftOut", { count: leftOut })] : [])].join(" · ")}
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

/** Explains the kinds and marks that this report has. */
function Legend() {
  const say = useWords(readWords);
  const sayKind = useWords(supportWords);
  const { report, isOfOneOrigin } = useReport();
  const kinds = countBySupport(report.claims).map(([kind]) => kind);
  const marked = new Set(report.claims.map((claim) => deviationOf(claim, isOfOneOrigin)));
  const others = (["contradicted", "oneSource"] as const).filter((deviation) => marked.has(deviation));
  return (
    <dl className="facts read-legend-list" aria-label={say("legend")}>
      {report.citations.length > 0 && (
        <div>
          <dt className="read-cite">[1]</dt>
          <dd>{say("legendSource")}</dd>
        </div>
      )}
      {[...kinds, ...others].map((kind) => (
        <div key={kind}>
          <dt>{sayKind(kind)}</dt>
          <dd>{sayKind(`${kind}Help`)}</dd>
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

import type { Source } from "../../../../src/domain/report.ts";
import { useWords } from "../../i18n/language.tsx";
import { Fold } from "../../ui/fold.tsx";
import { isWebAddress, OuterLink, placeOf } from "../../ui/outer-link.tsx";
import { readableAddress } from "../../ui/readable-address.ts";
import type { SourceComparison } from "./compare-runs.ts";
import { compareWords } from "./compare-words.ts";

export function SourceColumns({ comparison: { both, left, right } }: { readonly comparison: SourceComparison }) {
  const say = useWords(compareWords);
  return (
    <section className="stack" aria-label={say("sources")}>
      <h2>{say("sources")}</h2>
      <p className="quiet">{say("sourceRule")}</p>
      <SourceFold title={say("both")} sources={both} />
      <SourceFold title={say("onlyLeft")} sources={left} />
      <SourceFold title={say("onlyRight")} sources={right} />
    </section>
  );
}

function SourceFold({ title, sources }: { readonly title: string; readonly sources: readonly Source[] }) {
  if (sources.length === 0) return <p className="quiet">{`${title} (0)`}</p>;
  return (
    <Fold startsOpen={sources.length <= 20} summary={`${title} (${sources.length})`}>
      {() => (
        <ul className="bare compare-list">
          {sources.map(({ id, url, title: name, publishedAt }) => (
            <li key={id}>
              <OuterLink url={url}>{name || url}</OuterLink>{" "}
              <span className="quiet">
                {[isWebAddress(url) ? placeOf(url) : readableAddress(url), publishedAt?.slice(0, 10)]
                  .filter((part) => part && part !== name)
                  .join(" · ")}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Fold>
  );
}

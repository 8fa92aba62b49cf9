import { useCallback, useMemo } from "react";
import type { Run } from "../../../../src/domain/run.ts";
import { getRun } from "../../api/endpoints.ts";
import { asProblem, type Problem } from "../../api/problem.ts";
import { Link, navigate, useAddress } from "../../app/router.tsx";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { compareAddress, runAddress } from "../../ui/addresses.ts";
import { Button } from "../../ui/button.tsx";
import { Loading, Notice, ProblemNotice } from "../../ui/notice.tsx";
import { sayProblem } from "../../ui/say-problem.ts";
import { useResource } from "../../ui/use-resource.ts";
import { nameOf } from "../history/group-threads.ts";
import { ClaimColumns } from "./claim-columns.tsx";
import "./compare.css";
import { compareClaims, compareSources } from "./compare-runs.ts";
import { compareWords } from "./compare-words.ts";
import { FigureTable } from "./figure-table.tsx";
import { SourceColumns } from "./source-columns.tsx";

type Side = { readonly run: Run } | { readonly problem: Problem };

/** Two runs, named in the address, side by side. */
export function CompareView() {
  const say = useWords(compareWords);
  const { query } = useAddress();
  const [left, right] = [query.get("left") ?? "", query.get("right") ?? ""];
  if (left === "" || right === "") {
    return (
      <Notice title={say("choose")}>
        <p>{say("chooseHelp")}</p>
        <Link to="/history">{say("toHistory")}</Link>
      </Notice>
    );
  }
  return <Compared key={`${left} ${right}`} leftId={left} rightId={right} />;
}

function Compared({ leftId, rightId }: { readonly leftId: string; readonly rightId: string }) {
  const say = useWords(compareWords);
  const load = useCallback((signal: AbortSignal) => Promise.all([readSide(leftId, signal), readSide(rightId, signal)]), [leftId, rightId]);
  const { data, problem, reload } = useResource(load);
  if (problem !== null) return <ProblemNotice problem={problem} onRetry={reload} />;
  if (data === null) return <Loading />;
  const [left, right] = data;
  return (
    <div className="compare stack">
      <div className="row compare-head">
        <h1>{say("title")}</h1>
        <Button kind="quiet" onPress={() => navigate(compareAddress(rightId, leftId), { replace: true })}>
          {say("swap")}
        </Button>
      </div>
      <div className="compare-columns">
        <SideHead side={left} label={say("left")} />
        <SideHead side={right} label={say("right")} />
      </div>
      {leftId === rightId && <Notice title={say("sameRun")} />}
      {"run" in left && "run" in right ? <Both left={left.run} right={right.run} /> : <Button onPress={reload}>↻</Button>}
    </div>
  );
}

/** One side that cannot be read does not hide the other. */
async function readSide(id: string, signal: AbortSignal): Promise<Side> {
  try {
    return { run: await getRun(id, signal) };
  } catch (error) {
    if (signal.aborted) throw error;
    return { problem: asProblem(error) };
  }
}

function SideHead({ side, label }: { readonly side: Side; readonly label: string }) {
  const say = useWords(compareWords);
  const { language } = useLanguage();
  return (
    <section className="compare-side" aria-label={label}>
      <p className="quiet">{label}</p>
      {"problem" in side ? (
        <Notice tone="problem" title={say("missing", { detail: sayProblem(side.problem, language).line })} />
      ) : (
        <h2>
          <Link to={runAddress(side.run.id)} className="compare-name clamp">
            {nameOf(side.run)}
          </Link>
        </h2>
      )}
    </section>
  );
}

const NO_CLAIMS = { claims: [], citations: [] } as const;

function Both({ left, right }: { readonly left: Run; readonly right: Run }) {
  const say = useWords(compareWords);
  const claims = useMemo(() => compareClaims(left.report ?? NO_CLAIMS, right.report ?? NO_CLAIMS), [left, right]);
  const sources = useMemo(() => compareSources(left.report?.sources ?? [], right.report?.sources ?? []), [left, right]);
  return (
    <>
      {(left.report === null || right.report === null) && (
        <div className="compare-columns">
          <p className="quiet">{left.report === null && say("noReport")}</p>
          <p className="quiet">{right.report === null && say("noReport")}</p>
        </div>
      )}
      <ClaimColumns comparison={claims} left={left} right={right} />
      <SourceColumns comparison={sources} />
      <FigureTable left={left} right={right} />
    </>
  );
}

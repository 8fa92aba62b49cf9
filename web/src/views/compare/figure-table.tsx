import type { Run } from "../../../../src/domain/run.ts";
import { verdictOf } from "../../../../src/words/verdict.ts";
import { formatDuration, formatMoney, formatNumber } from "../../i18n/format.ts";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { statusWords } from "../../ui/status-tag.tsx";
import { askWords } from "../ask/ask-words.ts";
import { useGraphName } from "../graph-names.ts";
import { isChecked } from "../read/support.ts";
import { compareWords } from "./compare-words.ts";

const USAGE = ["modelCalls", "inputTokens", "outputTokens", "toolCalls", "sourceRequests", "downloads"] as const;

/** What each run took and came to. */
export function FigureTable({ left, right }: { readonly left: Run; readonly right: Run }) {
  const say = useWords(compareWords);
  const figures = useFigures();
  const [leftRows, rightRows] = [figures(left), figures(right)];
  return (
    <section className="stack" aria-label={say("figures")}>
      <h2>{say("figures")}</h2>
      <table className="compare-figures">
        <thead>
          <tr>
            <th scope="col">{say("figure")}</th>
            <th scope="col">{say("left")}</th>
            <th scope="col">{say("right")}</th>
          </tr>
        </thead>
        <tbody>
          {leftRows.map(([name, value], index) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
              <td>{rightRows[index]?.[1]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function useFigures(): (run: Run) => readonly (readonly [string, string])[] {
  const say = useWords(compareWords);
  const sayDepth = useWords(askWords);
  const sayStatus = useWords(statusWords);
  const { language } = useLanguage();
  const graphName = useGraphName();
  const number = (value: number | undefined): string => (value === undefined ? say("unknown") : formatNumber(value, language));
  return ({ status, graph, request, report, usage, startedAt, endedAt }) => {
    const took = startedAt === null || endedAt === null ? null : Date.parse(endedAt) - Date.parse(startedAt);
    const depth = request?.["depth"];
    return [
      [say("status"), sayStatus(status)],
      [say("graph"), graphName(graph)],
      [say("depth"), depth === "quick" || depth === "standard" || depth === "deep" ? sayDepth(`depth_${depth}`) : say("noDepth")],
      [say("answers"), report === null ? say("unknown") : verdictOf(report, language).text],
      [say("claims"), number(report?.claims.length)],
      [say("checked"), number(report?.claims.filter(isChecked).length)],
      [say("sourceCount"), number(report?.sources.length)],
      [say("time"), took === null ? say("unknown") : formatDuration(took, language)],
      ...USAGE.map((name): readonly [string, string] => [say(name), number(usage[name])]),
      [say("costUsd"), formatMoney(usage.costUsd, language)],
    ];
  };
}

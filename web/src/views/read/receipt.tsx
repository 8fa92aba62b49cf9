import type { Termination } from "../../../../src/domain/run.ts";
import { textsIn } from "../../../../src/util/json-fields.ts";
import { formatMoney, formatNumber, formatTime } from "../../i18n/format.ts";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { Fold } from "../../ui/fold.tsx";
import { useGraphName } from "../graph-names.ts";
import { readWords } from "./read-words.ts";
import { useReport } from "./report-context.ts";
import { ScrollingTable } from "./scrolling-table.tsx";

/** What the run took: times, calls, tokens, money, by model. */
export function Receipt() {
  const say = useWords(readWords);
  return (
    <Fold className="read-fold" summary={<h2>{say("receipt")}</h2>}>
      {() => (
        <>
          <Facts />
          <Models />
        </>
      )}
    </Fold>
  );
}

function Facts() {
  const say = useWords(readWords);
  const { language } = useLanguage();
  const { run } = useReport();
  const graphName = useGraphName();
  const { usage, startedAt, endedAt, termination } = run;
  const time = (iso: string | null): string | null => (iso === null ? null : formatTime(iso, language));
  const number = (value: number): string => formatNumber(value, language);
  const ending = ({ reason, detail }: Termination): string => {
    const key = `ending_${reason}`;
    const words = Object.hasOwn(readWords.en, key) ? say(key as "ending_completed") : reason;
    return detail === null ? words : `${words} (${detail})`;
  };
  const facts: readonly (readonly [string, string | null])[] = [
    [say("run"), run.id],
    [say("method"), graphName(run.graph)],
    [say("searchedFor"), textsIn(run.request?.["queries"]).join(" · ") || null],
    [say("asked"), time(run.createdAt)],
    [say("started"), time(startedAt)],
    [say("ended"), time(endedAt)],
    [say("ending"), termination === null ? null : ending(termination)],
    [say("calls"), number(usage.modelCalls)],
    [say("tokens"), `${number(usage.inputTokens)} + ${number(usage.outputTokens)}`],
    [say("cost"), formatMoney(usage.costUsd, language)],
    [say("toolCalls"), number(usage.toolCalls)],
    [say("requests"), number(usage.sourceRequests)],
    [say("downloads"), number(usage.downloads)],
  ];
  return (
    <dl className="facts read-receipt">
      {facts.map(([name, value]) =>
        value === null ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

function Models() {
  const say = useWords(readWords);
  const { language } = useLanguage();
  const { models } = useReport().run.usage;
  if (models.length === 0) return null;
  // Estimated are the calls whose server did not say what they took.
  const isEstimated = models.some(({ estimated }) => estimated > 0);
  const columns = ["calls", "tokensIn", "tokensOut", "cost", ...(isEstimated ? (["estimated"] as const) : [])] as const;
  return (
    <ScrollingTable label={say("model")}>
      <thead>
        <tr>
          <th scope="col">{say("model")}</th>
          {columns.map((column) => (
            <th key={column} scope="col" className="read-number">
              {say(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {models.map(({ model, calls, inputTokens, outputTokens, costUsd, estimated }) => (
          <tr key={model}>
            <td>{model || "–"}</td>
            <td className="read-number">{formatNumber(calls, language)}</td>
            <td className="read-number">{formatNumber(inputTokens, language)}</td>
            <td className="read-number">{formatNumber(outputTokens, language)}</td>
            <td className="read-number">{formatMoney(costUsd, language)}</td>
            {isEstimated && <td className="read-number">{formatNumber(estimated, language)}</td>}
          </tr>
        ))}
      </tbody>
    </ScrollingTable>
  );
}

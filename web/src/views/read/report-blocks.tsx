import { Fragment, memo, type ReactNode } from "react";
import type { Block } from "../../../../src/domain/blocks.ts";
import { codeIn, splitCode } from "../../../../src/util/code-spans.ts";
import { gapAfter } from "../../../../src/util/row-text.ts";
import { supportKind } from "../../../../src/util/support-kinds.ts";
import { useWords } from "../../i18n/language.tsx";
import { sentenceId } from "../../ui/addresses.ts";
import { Marks } from "./marks.tsx";
import { QuotedPassage } from "./quoted-passage.tsx";
import { useReport } from "./report-context.ts";
import { blocksOf, type ListNode, nestItems, tableText } from "./report-text.ts";
import { ScrollingTable } from "./scrolling-table.tsx";
import { sayReason } from "./support.ts";
import { supportWords } from "./support-words.ts";

/** The text of a report. The first heading level of it is the second one of the page. */
export const ReportBlocks = memo(function ReportBlocks() {
  const { report } = useReport();
  const blocks = blocksOf(report);
  const highest = Math.min(...blocks.flatMap((block) => (block.kind === "heading" ? [block.level] : [])));
  return blocks.map((block, index) => {
    // The blocks of a report never change.
    const key = `${block.kind} ${index}`;
    return <BlockView key={key} block={block} number={index} highest={highest} />;
  });
});

function BlockView({ block, number, highest }: { readonly block: Block; readonly number: number; readonly highest: number }) {
  if (block.kind === "heading") return <Heading block={block} number={number} depth={block.level - highest} />;
  if (block.kind === "paragraph" && block.struck !== undefined) return <Struck reasons={block.struck} />;
  if (block.kind === "paragraph") {
    return (
      <p dir="auto">
        <Sentences indices={block.sentences} />
      </p>
    );
  }
  if (block.kind === "code") return <Code text={block.text} />;
  if (block.kind === "table") return <Table block={block} />;
  return <List nodes={nestItems(block.items)} start={block.kind === "numbered-list" ? block.start : null} />;
}

/** Stands where all sentences below a heading were taken out. */
function Struck({ reasons }: { readonly reasons: readonly string[] }) {
  const say = useWords(supportWords);
  const why = reasons.map((reason) => sayReason(reason, say));
  return <p className="quiet">{say("struckHere").replace("{why}", why.join(say("struckJoin")))}</p>;
}

function Code({ text }: { readonly text: string }) {
  const say = useWords(supportWords);
  return (
    <>
      <pre dir="ltr">{text}</pre>
      <p>
        <small>{say("code")}</small>
      </p>
    </>
  );
}

export function headingId(number: number): string {
  return `part-${number + 1}`;
}

type HeadingBlock = Extract<Block, { kind: "heading" }>;

function Heading({ block, number, depth }: { readonly block: HeadingBlock; readonly number: number; readonly depth: number }) {
  const Level = (["h2", "h3", "h4", "h5", "h6"] as const)[Math.min(depth, 4)] ?? "h6";
  return (
    <Level id={headingId(number)} dir="auto">
      <Words text={block.text} />
      <LabelMark {...block} />
    </Level>
  );
}

/** Headings and heads of tables have no quotes, so only what is wrong with them is said. */
function LabelMark({ support, reason }: Pick<HeadingBlock, "support" | "reason">) {
  const say = useWords(supportWords);
  if (support !== "unverified") return null;
  const why = reason === null ? "" : sayReason(reason, say);
  return <small className="read-label-mark"> {`${say("unverified")} ${why}`.trim()}</small>;
}

/** Shows code spans as code. */
function Words({ text }: { readonly text: string }) {
  return splitCode(text).map((part, index) => {
    // The parts of a text never change.
    const key = `${part.isCode} ${index}`;
    return part.isCode ? <code key={key}>{codeIn(part.text)}</code> : <Fragment key={key}>{part.text}</Fragment>;
  });
}

function Sentences({ indices }: { readonly indices: readonly number[] }) {
  const { claims } = useReport().report;
  return indices.map((index, position) => (
    <Fragment key={index}>
      {position > 0 && gapAfter(claims[indices[position - 1] ?? -1]?.text ?? "")}
      <Sentence index={index} />
    </Fragment>
  ));
}

function Sentence({ index }: { readonly index: number }) {
  const { report, target, isUncited, isQuotes } = useReport();
  const claim = report.claims[index];
  if (claim === undefined) return null;
  return (
    <>
      <bdi
        id={sentenceId(index)}
        className={sentenceClass(!isUncited && supportKind(claim) === "unverified", target === sentenceId(index))}
      >
        {isQuotes ? <QuotedPassage sentence={index} /> : <Words text={claim.text} />}
      </bdi>
      <Marks sentence={index} />
    </>
  );
}

function sentenceClass(isUnverified: boolean, isTarget: boolean): string {
  return `read-sentence${isUnverified ? " read-unverified" : ""}${isTarget ? " read-target" : ""}`;
}

function List({ nodes, start }: { readonly nodes: readonly ListNode[]; readonly start: number | null }): ReactNode {
  const items = nodes.map(({ item, items: inner }, index) => {
    const key = item.sentences[0] ?? `empty ${index}`;
    const isNumbered = inner[0]?.item.number !== undefined;
    return (
      <li key={key} dir="auto" {...(item.level > 0 && item.number !== undefined && { value: item.number })}>
        <Sentences indices={item.sentences} />
        {inner.length > 0 && <List nodes={inner} start={isNumbered ? (inner[0]?.item.number ?? 1) : null} />}
      </li>
    );
  });
  return start === null ? <ul>{items}</ul> : <ol start={start}>{items}</ol>;
}

function Table({ block }: { readonly block: Extract<Block, { kind: "table" }> }) {
  const { report, target, isUncited } = useReport();
  const { head, rows, numeric } = tableText(block, report.claims);
  const classOf = (column: number) => (numeric[column] ? "read-number" : undefined);
  const columns = [...head.keys()];
  return (
    <ScrollingTable label={block.caption ?? head.filter((cell) => cell !== "").join(", ")}>
      {block.caption !== undefined && <caption dir="auto">{block.caption}</caption>}
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col" className={classOf(column)}>
              {head[column]}
              {column === 0 && <LabelMark {...block} />}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ sentence, cells }) => {
          const claim = report.claims[sentence];
          const isUnverified = !isUncited && claim !== undefined && supportKind(claim) === "unverified";
          const id = sentenceId(sentence);
          return (
            <tr key={sentence} id={id} className={sentenceClass(isUnverified, target === id)}>
              {columns.map((column) => (
                <td key={column} dir="auto" className={classOf(column)}>
                  <Words text={cells[column] || "–"} />
                  {column === 0 && <Marks sentence={sentence} />}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </ScrollingTable>
  );
}

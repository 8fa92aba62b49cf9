import { Fragment, memo, useMemo } from "react";
import { useWords } from "../../i18n/language.tsx";
import { draftOf } from "../../view-model/draft.ts";
import type { RunView } from "../../view-model/run-view.ts";
import "../read/read.css";
import { ScrollingTable } from "../read/scrolling-table.tsx";
import { type DraftBlock, draftBlocks, draftPieces, lastCitation } from "./draft-blocks.ts";
import { runWords } from "./run-words.ts";

/** The report while it is written: its parts in order, as they will stand in it. */
export function Draft({ view }: { readonly view: RunView }) {
  const say = useWords(runWords);
  const draft = draftOf(view);
  if (draft === null) return null;
  const name = say(draft.isChecked ? "draft" : "draftUnchecked");
  let offset = 0;
  return (
    <section className="draft" aria-label={name} aria-busy="true">
      <p className="quiet">{name}</p>
      <div className="read-text">
        {draft.parts.map(({ id, text }) => {
          const before = offset;
          offset += lastCitation(text);
          return <DraftPart key={id} text={text} offset={before} />;
        })}
      </div>
    </section>
  );
}

interface PartProps {
  readonly text: string;
  /** The number of citations in the parts before. */
  readonly offset: number;
}

const DraftPart = memo(function DraftPart({ text, offset }: PartProps) {
  const say = useWords(runWords);
  const blocks = useMemo(() => draftBlocks(text), [text]);
  const isBegun = blocks.some(({ kind }) => kind !== "heading");
  return (
    <>
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks only get more
        <BlockView key={index} block={block} offset={offset} />
      ))}
      {!isBegun && <p className="quiet">{say("writingPart")}</p>}
    </>
  );
});

function BlockView({ block, offset }: { readonly block: DraftBlock; readonly offset: number }) {
  if (block.kind === "heading") {
    const Level = block.level <= 2 ? "h2" : block.level === 3 ? "h3" : "h4";
    return (
      <Level dir="auto">
        <Pieces text={block.text} offset={offset} />
      </Level>
    );
  }
  if (block.kind === "code") return <pre dir="ltr">{block.text}</pre>;
  if (block.kind === "table") return <Table block={block} offset={offset} />;
  if (block.kind === "list") {
    const List = block.items[0]?.number === null ? "ul" : "ol";
    return (
      <List>
        {block.items.map(({ level, number, text }, index) => {
          const place = { marginInlineStart: `${level * 1.25}rem` };
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries only get more
            <li key={index} dir="auto" value={number === null ? undefined : Number(number)} style={place}>
              <Pieces text={text} offset={offset} />
            </li>
          );
        })}
      </List>
    );
  }
  return (
    <p dir="auto">
      <Pieces text={block.text} offset={offset} />
    </p>
  );
}

function Table({ block, offset }: { readonly block: Extract<DraftBlock, { kind: "table" }>; readonly offset: number }) {
  const columns = [...block.head.keys()];
  return (
    <ScrollingTable label={block.head.join(", ")}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {block.head[column]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {block.rows.map((cells, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows only get more
          <tr key={row}>
            {columns.map((column) => (
              <td key={column} dir="auto">
                <Pieces text={cells[column] ?? ""} offset={offset} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </ScrollingTable>
  );
}

function Pieces({ text, offset }: PartProps) {
  const say = useWords(runWords);
  return draftPieces(text, offset).map(({ kind, text: piece }, index) => {
    const key = `${index} ${kind}`;
    if (kind === "text") return <Fragment key={key}>{piece}</Fragment>;
    if (kind === "code") return <code key={key}>{piece}</code>;
    return (
      <span key={key} className="read-marks">
        <span className={kind === "citation" ? "read-cite" : "read-sign"}>{kind === "citation" ? piece : say("notVerified")}</span>
      </span>
    );
  });
}

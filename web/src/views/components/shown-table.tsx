import { useWords } from "../../i18n/language.tsx";
import type { ComponentProps } from "./component-props.ts";
import { componentWords } from "./component-words.ts";
import { firstOf, textOf } from "./read-props.ts";
import { cellText, type TableData, tableOf } from "./table-data.ts";

const SHOWN = 200;

export function ShownTable({ props, partial }: ComponentProps) {
  return <DataTable table={tableOf(props)} isGrowing={partial} caption={textOf(firstOf(props, "caption", "title"))} />;
}

interface DataTableProps {
  readonly table: TableData;
  readonly caption: string;
  /** Whether rows may still come: then it is not said that there are none, which would make room and take it away again. */
  readonly isGrowing?: boolean;
}

/** Wide tables scroll on their own, also by the keyboard. */
export function DataTable({ table: { columns, rows }, caption, isGrowing = false }: DataTableProps) {
  const say = useWords(componentWords);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    <section className="component-scroll scrolls" tabIndex={0} aria-label={caption || say("table")}>
      <table className="component-table">
        {caption !== "" && <caption>{caption}</caption>}
        <thead>
          <tr>
            {columns.map(({ key, title }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: keys of a tool may repeat
              <th key={`${index} ${key}`} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, SHOWN).map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows only get more
            <tr key={row}>
              {cells.map((cell, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns keep their order
                <td key={index} className={typeof cell === "number" ? "component-number" : ""}>
                  {cellText(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && !isGrowing && <p className="quiet">{say("noRows")}</p>}
      {rows.length > SHOWN && <p className="quiet">{say("moreRows", { count: rows.length - SHOWN })}</p>}
    </section>
  );
}

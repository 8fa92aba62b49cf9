import { useLanguage, useWords } from "../../i18n/language.tsx";
import { Fold } from "../../ui/fold.tsx";
import { useMedia } from "../../ui/use-media.ts";
import type { ComponentProps } from "./component-props.ts";
import { componentWords } from "./component-words.ts";
import { firstOf, textOf } from "./read-props.ts";
import { type Point, placesOf, type Scale, type Series, scaleOf, seriesOf, ticksOf } from "./series-data.ts";
import { DataTable } from "./shown-table.tsx";

const HEIGHT = 240;
const EDGE = { right: 12, top: 10, bottom: 26 } as const;
/** The room of a character of an axis. */
const CHARACTER = 8;

/** The picture is drawn as wide as it is shown, so that its texts keep their size on a telephone. */
interface Frame {
  readonly width: number;
  readonly left: number;
}

/** One or more series as lines, with their values as a table beside. The picture has one height, however many values there are. */
export function SeriesChart({ props }: ComponentProps) {
  const say = useWords(componentWords);
  const { language } = useLanguage();
  const series = seriesOf(props);
  const title = textOf(firstOf(props, "title", "caption"));
  const unit = textOf(firstOf(props, "unit", "yLabel"));
  const number = (value: number): string => `${value.toLocaleString(language)}${unit === "" ? "" : ` ${unit}`}`;
  const labels = [...placesOf(series).keys()];
  const known = series.map(({ points }) => new Map(points.map(({ label, value }) => [label, value])));
  const rows = labels.map((label) => [label, ...known.map((values) => values.get(label) ?? null)]);
  const names = series.map(({ name }, index) => name || (series.length === 1 ? title || say("value") : `${say("value")} ${index + 1}`));
  const columns = [say("time"), ...names].map((name, index) => ({ key: String(index), title: name }));
  return (
    <div className="component-chart">
      {(title !== "" || unit !== "") && (
        <p className="component-heading">
          {title} {unit !== "" && <span className="quiet">{unit}</span>}
        </p>
      )}
      <LinePicture series={series} label={series.map((one, index) => summary(one, names[index] ?? "")).join(" ")} />
      {series.length > 1 && (
        <ul className="bare component-legend">
          {names.map((name, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat
            <li key={index} className={`component-series-${index}`}>
              {name}
            </li>
          ))}
        </ul>
      )}
      {rows.length > 0 && (
        <Fold summary={say("values")}>
          {() => <DataTable table={{ columns, rows }} caption={[title, unit].filter(Boolean).join(", ")} />}
        </Fold>
      )}
    </div>
  );

  function summary({ points }: Series, name: string): string {
    const known = points.filter((point): point is Point & { value: number } => point.value !== null);
    if (known.length === 0) return `${name}: ${say("noValues")}`;
    const { min, max } = scaleOf(known.map(({ value }) => value));
    const ends = { from: known[0]?.label ?? "", to: known.at(-1)?.label ?? "" };
    return say("chartSummary", { name, count: known.length, ...ends, low: number(min), high: number(max) });
  }
}

interface LinePictureProps {
  readonly series: readonly Series[];
  readonly label: string;
}

function LinePicture({ series, label }: LinePictureProps) {
  const say = useWords(componentWords);
  const { language } = useLanguage();
  const isNarrow = useMedia("(max-width: 40rem)");
  const values = series.flatMap(({ points }) => points.flatMap(({ value }) => (value === null ? [] : [value])));
  if (values.length === 0) {
    return (
      <div className="component-picture">
        <p className="quiet">{say("noValues")}</p>
      </div>
    );
  }
  const ticks = ticksOf(scaleOf(values));
  const scale = scaleOf(ticks);
  const places = placesOf(series);
  const marks = ticks.map((tick) => ({ tick, text: tick.toLocaleString(language) }));
  const frame: Frame = { width: isNarrow ? 320 : 640, left: 14 + CHARACTER * Math.max(...marks.map(({ text }) => text.length)) };
  const shown = [...places].filter((_, index) => index % Math.ceil(places.size / (isNarrow ? 3 : 5)) === 0);
  return (
    <div className="component-picture">
      <svg viewBox={`0 0 ${frame.width} ${HEIGHT}`} role="img" aria-label={label}>
        {marks.map(({ tick, text }) => (
          <g key={tick}>
            <line className="component-rule" x1={frame.left} x2={frame.width - EDGE.right} y1={yOf(tick, scale)} y2={yOf(tick, scale)} />
            <text x={frame.left - 6} y={yOf(tick, scale) + 4} textAnchor="end">
              {text}
            </text>
          </g>
        ))}
        {shown.map(([text, place]) => (
          <text key={text} x={xOf(place, frame)} y={HEIGHT - 8} textAnchor={place > 0.9 ? "end" : place < 0.1 ? "start" : "middle"}>
            {text.slice(0, 12)}
          </text>
        ))}
        {series.map((one, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: series keep their order
          <SeriesLine key={index} points={one.points} places={places} scale={scale} frame={frame} className={`component-series-${index}`} />
        ))}
      </svg>
    </div>
  );
}

interface SeriesLineProps {
  readonly points: readonly Point[];
  readonly places: ReadonlyMap<string, number>;
  readonly scale: Scale;
  readonly frame: Frame;
  readonly className: string;
}

const MAX_DOTS = 60;

/** A missing value interrupts the line. */
function SeriesLine({ points, places, scale, frame, className }: SeriesLineProps) {
  const drawn = points.map(({ label, value }) => ({ value, x: xOf(places.get(label) ?? 0.5, frame) }));
  const inOrder = drawn.toSorted((one, other) => one.x - other.x);
  const path = inOrder.map(({ value, x }, index) => {
    if (value === null) return "";
    const isNew = index === 0 || inOrder[index - 1]?.value === null;
    return `${isNew ? "M" : "L"}${x.toFixed(1)} ${yOf(value, scale).toFixed(1)}`;
  });
  return (
    <g className={className}>
      <path d={path.join("")} fill="none" />
      {drawn.length <= MAX_DOTS &&
        drawn.map(({ value, x }, index) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: points keep their order
          value === null ? null : <circle key={index} cx={x} cy={yOf(value, scale)} r="2.5" />,
        )}
    </g>
  );
}

function xOf(place: number, { width, left }: Frame): number {
  return left + place * (width - left - EDGE.right);
}

function yOf(value: number, { min, max }: Scale): number {
  const share = max > min ? (value - min) / (max - min) : 0.5;
  return HEIGHT - EDGE.bottom - share * (HEIGHT - EDGE.top - EDGE.bottom);
}

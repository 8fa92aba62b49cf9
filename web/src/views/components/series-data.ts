import type { JsonValue } from "../../../../src/domain/json.ts";
import { firstOf, listOf, numberOf, type Props, propsOf, textOf, textsOf } from "./read-props.ts";

export interface Point {
  /** As it is written: a date, a year, a number or any label. */
  readonly label: string;
  readonly value: number | null;
}

export interface Series {
  readonly name: string;
  readonly points: readonly Point[];
}

const MAX_SERIES = 6;

/**
 * Reads the common notations of a series: `series` or `datasets` with `points`, `data` or `values`, a list of points at once, or labels
 * in `labels`, `dates` or `x`. A point is `[x, y]` or an object such as `{date, value}`.
 */
export function seriesOf(props: Props): readonly Series[] {
  const labels = textsOf(firstOf(props, "labels", "dates", "x", "categories"));
  const several = listOf(firstOf(props, "series", "datasets"));
  const isList = several.length > 0 && several.every((one) => Object.keys(propsOf(one)).length > 0 && pointsIn(propsOf(one)) !== undefined);
  if (isList) {
    return several.slice(0, MAX_SERIES).map((one) => {
      const series = propsOf(one);
      return { name: textOf(firstOf(series, "name", "label", "title")), points: pointsOf(pointsIn(series), labels) };
    });
  }
  const points = pointsOf(several.length > 0 ? [...several] : (pointsIn(props) ?? firstOf(props, "y")), labels);
  return points.length === 0 ? [] : [{ name: textOf(firstOf(props, "name", "label", "title")), points }];
}

function pointsIn(props: Props): JsonValue | undefined {
  return firstOf(props, "points", "data", "values");
}

function pointsOf(value: JsonValue | undefined, labels: readonly string[]): readonly Point[] {
  return listOf(value).map((entry, index): Point => {
    if (Array.isArray(entry)) return { label: textOf(entry[0]), value: numberOf(entry[1]) };
    if (entry === null || typeof entry !== "object") return { label: labels[index] ?? String(index + 1), value: numberOf(entry) };
    const point = propsOf(entry);
    const label = textOf(firstOf(point, "date", "time", "period", "year", "x", "t", "label"));
    return { label: label || (labels[index] ?? String(index + 1)), value: numberOf(firstOf(point, "value", "y", "v", "amount", "close")) };
  });
}

export interface Scale {
  readonly min: number;
  readonly max: number;
}

/** The places of labels along the axis, between 0 and 1: by time if all are dates, by number if all are numbers, otherwise one after another. */
export function placesOf(all: readonly Series[]): ReadonlyMap<string, number> {
  const labels = [...new Set(all.flatMap(({ points }) => points.map(({ label }) => label)))];
  const read = labels.map(positionOf);
  const isOrdered = read.every((position) => position !== null);
  const positions = isOrdered ? read.map((position) => position ?? 0) : labels.map((_, index) => index);
  const { min, max } = scaleOf(positions);
  const places = positions.map((position) => (max > min ? (position - min) / (max - min) : 0.5));
  return new Map(labels.map((label, index) => [label, places[index] ?? 0.5]));
}

/** Years as `2024` are times too: their order as numbers is the same. */
function positionOf(label: string): number | null {
  if (/^-?\d+(\.\d+)?$/.test(label.trim())) return Number(label);
  if (!/^\d{4}(-\d{1,2}){1,2}([T ].*)?$/.test(label.trim())) return null;
  const time = Date.parse(label.trim());
  return Number.isNaN(time) ? null : time;
}

export function scaleOf(values: readonly number[]): Scale {
  let [min, max] = [Infinity, -Infinity];
  for (const value of values) {
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  return min > max ? { min: 0, max: 0 } : { min, max };
}

/** Three to six round values that cover the scale. */
export function ticksOf({ min, max }: Scale): readonly number[] {
  if (max <= min) return [min];
  const rough = (max - min) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((one) => one >= rough) ?? 10 * power;
  const first = Math.floor(min / step);
  const last = Math.ceil(max / step);
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

export interface MeterProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  /** What stands beside the bar, such as `3 of 80`. */
  readonly text: string;
}

/** How much of a limit is used. */
export function Meter({ label, value, max, text }: MeterProps) {
  return (
    <div className="meter">
      <span className="meter-label" aria-hidden="true">
        {label}
      </span>
      <meter aria-label={`${label}: ${text}`} min={0} max={max} high={max * 0.9} value={Math.min(value, max)} />
      <span className="meter-text" aria-hidden="true">
        {text}
      </span>
    </div>
  );
}

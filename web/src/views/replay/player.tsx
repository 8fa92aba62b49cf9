import { useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import type { Run } from "../../../../src/domain/run.ts";
import { formatDuration, formatTime } from "../../i18n/format.ts";
import { useLanguage, useWords } from "../../i18n/language.tsx";
import { Button } from "../../ui/button.tsx";
import { ErrorBoundary } from "../../ui/error-boundary.tsx";
import { useEventName } from "./event-words.ts";
import { Moment } from "./moment.tsx";
import type { Moments } from "./moments.ts";
import type { ReadDocument } from "./replay-places.ts";
import { replayWords } from "./replay-words.ts";

const SPEEDS = [1, 2, 5, 20, 100] as const;

interface PlayerProps {
  readonly moments: Moments;
  /** How many events there are by now. */
  readonly size: number;
  readonly run: Run;
  readonly readDocument: ReadDocument;
  /** The moment that is shown first. */
  readonly start: number;
  /** Called when the reader stays at a moment. */
  readonly onStay?: (count: number) => void;
}

/** A slider over the events of a run, and the page as it was at that moment. */
export function Player({ moments, size, run, readDocument, start, onStay }: PlayerProps) {
  const say = useWords(replayWords);
  const [wanted, setWanted] = useState(Math.min(Math.max(0, start), size));
  const [speed, setSpeed] = useState<number>(1);
  const eventName = useEventName();
  const { isPlaying, play, pause } = usePlaying(moments, speed, wanted, setWanted);
  // The slider follows the hand at once; the moment is drawn when there is time.
  const count = useDeferredValue(wanted);
  const view = useMemo(() => moments.viewAt(count), [moments, count]);
  useStay(wanted, isPlaying, onStay);
  const go = (to: number): void => {
    pause();
    setWanted(Math.min(Math.max(0, to), size));
  };
  const isAtEnd = wanted >= size;
  return (
    <section className="replay-player stack" aria-label={say("title")}>
      <div className="replay-controls">
        <input
          type="range"
          min={0}
          max={size}
          value={wanted}
          aria-label={say("position")}
          aria-valuetext={positionText()}
          onChange={({ target }) => go(Number(target.value))}
        />
        <div className="row">
          <Button kind="main" onPress={isPlaying ? pause : () => play(isAtEnd ? 0 : wanted)}>
            {say(isPlaying ? "pause" : isAtEnd ? "playAgain" : "play")}
          </Button>
          <Button onPress={() => go(wanted - 1)} isDisabled={wanted === 0} aria-label={say("back")}>
            <span aria-hidden="true">‹ {say("backShort")}</span>
          </Button>
          <Button onPress={() => go(wanted + 1)} isDisabled={isAtEnd} aria-label={say("forward")}>
            <span aria-hidden="true">{say("forwardShort")} ›</span>
          </Button>
          <select aria-label={say("speed")} value={speed} onChange={({ target }) => setSpeed(Number(target.value))}>
            {SPEEDS.map((one) => (
              <option key={one} value={one}>
                {say("times", { count: one })}
              </option>
            ))}
          </select>
          <MomentText moments={moments} count={wanted} text={positionText()} />
        </div>
      </div>
      <ErrorBoundary subject={view.seq} message={say("broken")}>
        <Moment view={view} run={run} readDocument={readDocument} />
      </ErrorBoundary>
    </section>
  );

  function positionText(): string {
    const event = moments.events[wanted - 1];
    return event === undefined ? say("start") : say("positionText", { count: wanted, all: size, type: eventName(event.type) });
  }
}

function MomentText({ moments, count, text }: { readonly moments: Moments; readonly count: number; readonly text: string }) {
  const { language } = useLanguage();
  const event = moments.events[count - 1];
  const first = moments.events[0];
  const after = event === undefined || first === undefined ? 0 : Date.parse(event.at) - Date.parse(first.at);
  return (
    <p className="quiet replay-text">
      {text}
      {event !== undefined && ` · ${formatTime(event.at, language)} · +${formatDuration(Math.max(0, after), language)}`}
    </p>
  );
}

const STAY_MS = 400;

/** Tells of a moment when it has been shown for a while and nothing plays. */
function useStay(count: number, isPlaying: boolean, onStay: PlayerProps["onStay"]): void {
  const tell = useRef(onStay);
  tell.current = onStay;
  const first = useRef(count);
  useEffect(() => {
    if (isPlaying || count === first.current) return;
    const timer = setTimeout(() => {
      first.current = count;
      tell.current?.(count);
    }, STAY_MS);
    return () => clearTimeout(timer);
  }, [count, isPlaying]);
}

const TICK_MS = 50;

/** Plays the events at their own pace times `speed`; waits above two seconds are shortened. */
function usePlaying(moments: Moments, speed: number, count: number, show: (count: number) => void) {
  const [isPlaying, setPlaying] = useState(false);
  const position = useRef(count);
  position.current = count;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the position is read when playing begins
  useEffect(() => {
    if (!isPlaying) return;
    let time = moments.timeAt(position.current);
    let last = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      time += (now - last) * speed;
      last = now;
      const next = moments.countAt(time);
      if (next !== position.current) show(Math.max(next, position.current));
      if (next >= moments.size) setPlaying(false);
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [isPlaying, speed, moments]);
  const play = (from: number): void => {
    position.current = from;
    show(from);
    setPlaying(true);
  };
  return { isPlaying, play, pause: () => setPlaying(false) };
}

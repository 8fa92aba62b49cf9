import { useEffect, useState } from "react";

/** The time in milliseconds since 1970, renewed every second while `isTicking`. */
export function useTime(isTicking: boolean): number {
  const [time, setTime] = useState(() => Date.now());
  useEffect(() => {
    if (!isTicking) return;
    setTime(Date.now());
    const timer = setInterval(() => setTime(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isTicking]);
  return time;
}

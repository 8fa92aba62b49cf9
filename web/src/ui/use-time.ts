import { useEffect, useState } from "react";
import { serverNow } from "../api/server-clock.ts";

/** The time of the server in milliseconds since 1970, renewed every second while `isTicking`. */
export function useTime(isTicking: boolean): number {
  const [time, setTime] = useState(() => serverNow());
  useEffect(() => {
    if (!isTicking) return;
    setTime(serverNow());
    const timer = setInterval(() => setTime(serverNow()), 1_000);
    return () => clearInterval(timer);
  }, [isTicking]);
  return time;
}

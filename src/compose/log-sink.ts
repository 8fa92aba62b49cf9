import { fstatSync, writeSync } from "node:fs";
import { isatty } from "node:tty";
import type { Config } from "../config.ts";

/** How much may wait for a reader of the log, in UTF-16 code units. Further lines are dropped. */
const MAX_WAITING_LENGTH = 1_048_576;
const STDERR = 2;

interface Stream {
  readonly writableLength: number;
  write(text: string): unknown;
}

/** Returns what makes a JSON line of the log readable for people, if the setting, or a terminal for standard error, asks for that. */
export async function openLineFormat(setting: Config["LOG_FORMAT"]): Promise<(line: string) => string> {
  const isTerminal = isatty(STDERR);
  if (setting === "json" || (setting === "auto" && !isTerminal)) return (line) => line;
  const { prettyFactory } = await import("pino-pretty");
  const colorize = isTerminal && process.stderr.hasColors();
  const pretty = prettyFactory({ colorize, singleLine: true, ignore: "reqId", translateTime: "SYS:yyyy-mm-dd HH:MM:ss.l" });
  return (line) => pretty(JSON.parse(line, (_field, value) => (typeof value === "string" ? withoutControls(value) : value)));
}

/** A terminal obeys control characters, which texts from outside may contain. */
function withoutControls(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, "\ufffd");
}

/**
 * Writes lines of the log to standard error. Nothing that happens there holds or ends the process: lines that cannot be written (a full
 * disk) or that nobody reads (a pipe that is not emptied) are dropped, and the next line that can be written tells their number.
 */
export function openLogSink(format = (line: string): string => line): { write(line: string): void } {
  const { stderr } = process;
  if (!stderr.listeners("error").includes(ignoreLostReader)) stderr.on("error", ignoreLostReader);
  const tryWrite = isRead(STDERR) ? intoStream(stderr) : intoFile;
  return counting((line) => tryWrite(format(line)));
}

function ignoreLostReader(): void {}

/** Whether somebody reads what is written, so that writing may have to wait. */
function isRead(descriptor: number): boolean {
  const stats = fstatSync(descriptor);
  return stats.isFIFO() || stats.isSocket() || isatty(descriptor);
}

type TryWrite = (line: string) => boolean;

function counting(tryWrite: TryWrite): { write(line: string): void } {
  let dropped = 0;
  return {
    write(line) {
      if (dropped > 0 && tryWrite(droppedLine(dropped))) dropped = 0;
      if (dropped > 0 || !tryWrite(line)) dropped += 1;
    },
  };
}

/** Node writes to pipes and terminals without waiting for their reader, and keeps the rest. */
function intoStream(stream: Stream): TryWrite {
  return (line) => {
    if (stream.writableLength + line.length > MAX_WAITING_LENGTH) return false;
    stream.write(line);
    return true;
  };
}

function intoFile(line: string): boolean {
  try {
    writeSync(STDERR, line);
    return true;
  } catch {
    return false;
  }
}

function droppedLine(dropped: number): string {
  const msg = "lines of the log were dropped, because they could not be written or nobody read them";
  return `${JSON.stringify({ level: 40, time: Date.now(), dropped, msg })}\n`;
}

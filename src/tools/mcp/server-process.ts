import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { getDefaultEnvironment } from "@modelcontextprotocol/sdk/client/stdio.js";
import { deserializeMessage, serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { DossierError } from "../../errors.ts";
import { isTurnOver, takeTurn } from "../../util/turns.ts";
import type { StdioServer } from "./servers-file.ts";

/** How long a process may take to end after its input is closed, and again after SIGTERM. */
const ENDING_MS = 1_000;
const MAX_UNREAD_BYTES = 16_000_000;
const LINE_FEED = 0x0a;

type ProcessSettings = Pick<StdioServer, "name" | "command" | "args" | "env" | "cwd">;

interface ProcessLimits {
  readonly maxMessageBytes: number;
  readonly onStderr: (chunk: Buffer) => void;
  /** Called when the connection must be closed. */
  readonly onBroken: (error: DossierError) => void;
}

/** The process of an MCP server. Its messages are read in turns of the event loop. */
export class ServerProcess implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #settings: ProcessSettings;
  readonly #limits: ProcessLimits;
  #child: ChildProcessWithoutNullStreams | null = null;
  /** The pieces of a message that has not ended. */
  readonly #begun: Buffer[] = [];
  #begunBytes = 0;
  #reading = Promise.resolve();
  #ending: Promise<void> | null = null;

  constructor(settings: ProcessSettings, limits: ProcessLimits) {
    this.#settings = settings;
    this.#limits = limits;
  }

  async start(): Promise<void> {
    const { command, args, env, cwd } = this.#settings;
    const options = { env: { ...getDefaultEnvironment(), ...env }, windowsHide: true, ...(cwd !== null && { cwd }) };
    const child = spawn(command, [...args], options);
    this.#child = child;
    const { stdin, stdout, stderr } = child;
    for (const stream of [stdin, stdout, stderr]) stream.on("error", (error) => this.onerror?.(error));
    stderr.on("data", this.#limits.onStderr);
    stdout.on("data", (chunk: Buffer) => {
      stdout.pause();
      this.#reading = this.#read(chunk).finally(() => stdout.resume());
    });
    child.once("close", () => void this.#reading.then(() => this.onclose?.()));
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.on("error", reject);
    });
  }

  /** @throws Error if the process does not read what it is sent */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#child === null || this.#ending !== null) throw new Error("Not connected");
    const { stdin } = this.#child;
    if (stdin.writableLength > MAX_UNREAD_BYTES) throw new Error("it does not read what it is sent");
    stdin.write(Buffer.from(serializeMessage(message)));
  }

  close(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    const child = this.#child;
    if (child === null || child.pid === undefined) return;
    const closed = new Promise((resolve) => child.once("close", () => resolve(true)));
    const endsSoon = () => Promise.race([closed, setTimeout(ENDING_MS, false, { ref: false })]);
    child.stdin.end();
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      if (child.exitCode !== null || child.signalCode !== null || (await endsSoon()) === true) break;
      child.kill(signal);
    }
    // Processes that it started may hold its output open.
    child.stdout.destroy();
    child.stderr.destroy();
  }

  /** What comes after the end of the connection is thrown away. */
  async #read(chunk: Buffer): Promise<void> {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0 && this.#isRead(); end = chunk.indexOf(LINE_FEED, from)) {
      if (!this.#keep(chunk.subarray(from, end))) return;
      from = end + 1;
      const line = Buffer.concat(this.#begun.splice(0)).toString("utf8");
      this.#begunBytes = 0;
      this.#receive(line);
      if (isTurnOver()) await takeTurn();
    }
    if (this.#isRead()) this.#keep(chunk.subarray(from));
  }

  #isRead(): boolean {
    return this.#ending === null;
  }

  /** Returns false if the message that has begun is too large. */
  #keep(piece: Buffer): boolean {
    this.#begun.push(piece);
    this.#begunBytes += piece.byteLength;
    if (this.#begunBytes <= this.#limits.maxMessageBytes) return true;
    this.#begun.length = 0;
    const words = `The MCP server ${this.#settings.name} sent a message that is too large.`;
    this.#limits.onBroken(new DossierError("document_too_large", words));
    return false;
  }

  #receive(line: string): void {
    try {
      this.onmessage?.(deserializeMessage(line.replace(/\r$/, "")));
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }
}

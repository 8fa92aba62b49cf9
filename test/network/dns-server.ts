import { createSocket } from "node:dgram";
import { once } from "node:events";
import { onTestFinished } from "vitest";

/**
 * A server's answer for a name: none, no such name, or addresses, possibly through aliases. Addresses of both families are sent together, when
 * both were asked for, because the resolver waits only briefly for the second.
 */
export type Said =
  | "silence"
  | "nxdomain"
  | "servfail"
  | { readonly a?: readonly string[]; readonly aaaa?: readonly string[] | "silence"; readonly via?: readonly string[] };

export interface DnsServer {
  /** `address:port` */
  readonly address: string;
  /** The requested names in order, once for each address family and try. */
  readonly asked: string[];
}

const RCODES = { nxdomain: 3, servfail: 2 } as const;
const A = 1;
const CNAME = 5;
const AAAA = 28;
const POINTER_TO_QUESTION = Buffer.from([0xc0, 12]);

/** A name server over UDP on loopback, closed when the test has finished. */
export async function startDns(say: (name: string) => Said, onAsked?: (asked: readonly string[]) => void): Promise<DnsServer> {
  const socket = createSocket("udp4");
  const asked: string[] = [];
  const held = new Map<string, Map<number, () => void>>();
  const sendTogether = (name: string, type: number, send: () => void): void => {
    const sends = (held.get(name) ?? new Map()).set(type, send);
    held.set(name, sends);
    if (sends.size === 2) for (const each of sends.values()) each();
  };
  socket.on("message", (query, { port, address }) => {
    const { name, type, question } = read(query);
    const said = say(name);
    const answer = answerOf(said, type);
    asked.push(name);
    onAsked?.(asked);
    if (answer === null) return;
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | answer.rcode, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(answer.records.length, 6);
    const send = () => socket.send(Buffer.concat([header, question, ...answer.records]), port, address);
    if (hasBoth(said)) sendTogether(name, type, send);
    else send();
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  onTestFinished(() => new Promise((resolve) => socket.close(() => resolve())));
  return { address: `127.0.0.1:${socket.address().port}`, asked };
}

function hasBoth(said: Said): boolean {
  return typeof said !== "string" && said.a !== undefined && said.aaaa !== undefined && said.aaaa !== "silence";
}

function read(query: Buffer): { readonly name: string; readonly type: number; readonly question: Buffer } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), question: query.subarray(12, at + 5) };
}

function answerOf(said: Said, type: number): { readonly rcode: number; readonly records: Buffer[] } | null {
  if (said === "silence") return null;
  if (typeof said === "string") return { rcode: RCODES[said], records: [] };
  const addresses = type === A ? (said.a ?? []) : type === AAAA ? (said.aaaa ?? []) : [];
  if (addresses === "silence") return null;
  let owner: Buffer = POINTER_TO_QUESTION;
  const chain = (said.via ?? []).map((next) => {
    const record = recordOf(owner, CNAME, nameBytes(next));
    owner = nameBytes(next);
    return record;
  });
  return { rcode: 0, records: [...chain, ...addresses.map((address) => recordOf(owner, type, addressBytes(address)))] };
}

function recordOf(owner: Buffer, type: number, data: Buffer): Buffer {
  const fields = Buffer.alloc(10);
  fields.writeUInt16BE(type, 0);
  fields.writeUInt16BE(1, 2);
  fields.writeUInt32BE(60, 4);
  fields.writeUInt16BE(data.length, 8);
  return Buffer.concat([owner, fields, data]);
}

function nameBytes(name: string): Buffer {
  return Buffer.concat([...name.split(".").flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]), Buffer.from([0])]);
}

/** Writes an IPv6 address with all its eight groups. */
function addressBytes(address: string): Buffer {
  if (address.includes(".")) return Buffer.from(address.split(".").map(Number));
  return Buffer.from(
    address
      .split(":")
      .map((group) => group.padStart(4, "0"))
      .join(""),
    "hex",
  );
}

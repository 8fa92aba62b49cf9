import { createHash } from "node:crypto";
import type { PdfOptions } from "./make-pdf.ts";

/** The password padding of ISO 32000-1, algorithm 2. */
const PADDING = Buffer.from("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a", "hex");
const FILE_ID = Buffer.from("0123456789abcdef");
const OWNER = Buffer.alloc(32, 7);

/** Returns options that encrypt a PDF with 40-bit RC4 (revision 2) under `userPassword`. */
export function encryptedWith(userPassword: string): PdfOptions {
  const padded = Buffer.concat([Buffer.from(userPassword, "latin1"), PADDING]).subarray(0, 32);
  const permissions = Buffer.from([0xfc, 0xff, 0xff, 0xff]);
  const key = md5(padded, OWNER, permissions, FILE_ID).subarray(0, 5);
  const user = rc4(key, PADDING);
  const entries = `/Filter /Standard /V 1 /R 2 /P -4 /O <${OWNER.toString("hex")}> /U <${user.toString("hex")}>`;
  return {
    trailer: `/Encrypt << ${entries} >> /ID [<${FILE_ID.toString("hex")}> <${FILE_ID.toString("hex")}>]`,
    encode: (stream, number) => rc4(md5(key, Buffer.from([number & 255, number >> 8, 0, 0, 0])).subarray(0, 10), stream),
  };
}

function md5(...parts: readonly Buffer[]): Buffer {
  return createHash("md5").update(Buffer.concat(parts)).digest();
}

function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Array.from({ length: 256 }, (_, i) => i);
  const swap = (a: number, b: number): void => {
    [state[a], state[b]] = [state[b] ?? 0, state[a] ?? 0];
  };
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + (state[i] ?? 0) + (key[i % key.length] ?? 0)) % 256;
    swap(i, j);
  }
  let i = 0;
  let j = 0;
  return data.map((byte) => {
    i = (i + 1) % 256;
    j = (j + (state[i] ?? 0)) % 256;
    swap(i, j);
    return byte ^ (state[((state[i] ?? 0) + (state[j] ?? 0)) % 256] ?? 0);
  }) as Buffer;
}

import { Readable } from "node:stream";

/**
 * Returns the body of an HTTP request that undici frees once it is sent. A whole body would be kept until the answer ends. Pass the
 * stream on at once: each function that waits keeps what it was given. The stream has ended, so undici knows its length.
 */
export function bodyStream(body: string): Readable {
  const stream = new Readable({ read: () => undefined });
  stream.push(body, "utf8");
  stream.push(null);
  return stream;
}

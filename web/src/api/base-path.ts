let base = "";

/** Sets the path under which a reverse proxy serves this page, such as `/dossier`. Called once, before anything is shown. */
export function serveBelow(path: string): void {
  base = path;
}

/** Returns the address of a path of this server. */
export function atBase(path: string): string {
  return base + path;
}

/** Returns the path of this server that an address has. */
export function withoutBase(address: string): string {
  return address.startsWith(`${base}/`) ? address.slice(base.length) : address === base ? "/" : address;
}

import { cpSync, existsSync, globSync, readFileSync, statSync } from "node:fs";
import { basename, join, posix, relative } from "node:path";
import dockerignore from "@balena/dockerignore";

/** A folder that COPY reads from: the build context, or an earlier stage. */
export interface CopySource {
  readonly root: string;
  /** Returns whether COPY may read this path, which is relative to `root`. */
  readonly offers: (path: string) => boolean;
}

/** Returns the build context: the project's folder without the files that .dockerignore excludes. */
export function buildContext(root: string): CopySource {
  const file = join(root, ".dockerignore");
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  const ignore = dockerignore.default().add(lines.filter((line) => line.trim() !== "" && !line.startsWith("#")));
  return { root, offers: (path) => !ignore.ignores(path) };
}

/** Copies files as COPY does and returns their number. @throws Error if a source is missing, or .dockerignore excludes all of it */
export function copyFiles(from: CopySource, sources: readonly string[], target: string, intoFolder: boolean): number {
  return sources.reduce((count, source) => count + copyOne(from, source, target, intoFolder || sources.length > 1), 0);
}

/** Returns the files of one COPY source, relative to `from.root`. */
export function filesOf(from: CopySource, source: string): string[] {
  const path = posix.normalize(source).replace(/^\/+|\/+$/g, "");
  if (/[*?[]/.test(path)) throw new Error(`COPY ${source}: wildcards are not known to this check`);
  const absolute = join(from.root, path);
  if (!existsSync(absolute)) throw new Error(`COPY ${source}: there is no such file or folder`);
  const files = statSync(absolute).isDirectory() ? filesBelow(from.root, path) : [path];
  const offered = files.filter(from.offers);
  if (offered.length === 0) throw new Error(`COPY ${source}: .dockerignore hides it, or it is empty`);
  return offered;
}

function copyOne(from: CopySource, source: string, target: string, intoFolder: boolean): number {
  const files = filesOf(from, source);
  const start = join(from.root, source);
  const isFolder = statSync(start).isDirectory();
  for (const file of files) {
    const place = isFolder ? join(target, relative(start, join(from.root, file))) : intoFolder ? join(target, basename(file)) : target;
    cpSync(join(from.root, file), place, { verbatimSymlinks: true });
  }
  return files.length;
}

function filesBelow(root: string, folder: string): string[] {
  return globSync("**/*", { cwd: join(root, folder), withFileTypes: true, exclude: [] })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

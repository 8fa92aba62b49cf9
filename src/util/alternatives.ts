export function alternatives(lines: string): string {
  return lines
    .trim()
    .split(/\s*\n\s*/)
    .join("|");
}

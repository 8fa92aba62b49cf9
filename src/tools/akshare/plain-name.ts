/** A name to compare by: full-width letters, spaces and capitals make no other name, `万  科Ａ` is `万科A`. */
export function plainName(name: string): string {
  return name.normalize("NFKC").replaceAll(/\s+/g, "").toLowerCase();
}

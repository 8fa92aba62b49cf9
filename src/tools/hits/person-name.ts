/** Names of these scripts are written family name first and without a space. */
const EAST_ASIAN = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー・]+$/u;

/** A name out of its parts, as the work would print it: `Ada Penrose`, `王小明`. Empty where no part is known. */
export function personName(given: string | null | undefined, family: string | null | undefined, suffix?: string | null): string {
  const [first, last] = [given?.trim() ?? "", family?.trim() ?? ""];
  if (EAST_ASIAN.test(first) && EAST_ASIAN.test(last)) return `${last}${first}`;
  return [first, last, suffix?.trim() ?? ""].filter((part) => part !== "").join(" ");
}

/** Characters that show something: no spaces, control and format characters, fillers, and no empty braille pattern. */
const SHOWN = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{Cn}\u2800]/u;

/** Whether a reader sees nothing of a text; the service refuses such a question. */
export function isBlank(text: string): boolean {
  return !SHOWN.test(text);
}

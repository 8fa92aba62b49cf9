import { useWords } from "../i18n/language.tsx";
import { uiWords } from "./ui-words.ts";

/** Whether a text has more characters than the server takes. It counts UTF-16 code units, as `length` does. */
export function isTooLong(text: string, max: number | undefined): boolean {
  return max !== undefined && text.length > max;
}

export interface LengthFaultProps {
  readonly text: string;
  /** Undefined: not known. */
  readonly max: number | undefined;
  readonly id?: string;
  /** Whether the text could be attached as a file instead. */
  readonly isAttachable?: boolean;
}

/** Says beside a field that its text is too long, and by how much; nothing of it is cut. */
export function LengthFault({ text, max, id, isAttachable = false }: LengthFaultProps) {
  const say = useWords(uiWords);
  if (max === undefined || !isTooLong(text, max)) return null;
  return (
    <p className="field-fault" role="status" {...(id !== undefined && { id })}>
      {say(isAttachable ? "tooLongAttach" : "tooLong", { count: text.length, max })}
    </p>
  );
}

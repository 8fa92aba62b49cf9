import { type FormEvent, type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from "react";
import { useWords } from "../../i18n/language.tsx";
import { isBlank } from "../../ui/blank.ts";
import { Button } from "../../ui/button.tsx";
import { askWords } from "./ask-words.ts";
import "./question-field.css";

export interface QuestionFieldProps {
  readonly label: string;
  readonly send: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly onSend: () => void;
  readonly isSending: boolean;
  readonly placeholder?: string;
  readonly autoFocus?: boolean;
  /** Why it cannot be sent as it is. */
  readonly fault?: string | undefined;
  /** What stands beside the button. */
  readonly children?: ReactNode;
}

/** The limit of the server, in UTF-16 code units. */
const MAX_QUESTION = 8_000;

/** A field that grows with its text. Enter sends, with Shift it begins a new line; an input method's Enter only chooses its word. */
export function QuestionField({
  label,
  send,
  value,
  onChange,
  onSend,
  isSending,
  placeholder,
  autoFocus = false,
  fault: given,
  children,
}: QuestionFieldProps) {
  const say = useWords(askWords);
  const fault = value.length > MAX_QUESTION ? say("tooLong", { count: value.length, max: MAX_QUESTION }) : given;
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (field.current === null || field.current.value !== value) return;
    field.current.style.blockSize = "auto";
    field.current.style.blockSize = `${field.current.scrollHeight + 2}px`;
  }, [value]);
  useLayoutEffect(() => {
    if (autoFocus) field.current?.focus({ preventScroll: true });
  }, [autoFocus]);
  const canSend = !isBlank(value) && fault === undefined && !isSending;
  const submit = (event?: FormEvent): void => {
    event?.preventDefault();
    if (canSend) onSend();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };
  return (
    <form className="question-field" onSubmit={submit}>
      <textarea
        ref={field}
        name="question"
        rows={1}
        aria-label={label}
        placeholder={placeholder}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={onKeyDown}
      />
      {fault !== undefined && (
        <p className="ask-fault" role="status">
          {fault}
        </p>
      )}
      <div className="question-field-row">
        <div className="row">{children}</div>
        <Button type="submit" kind="main" isDisabled={!canSend}>
          {send}
        </Button>
      </div>
    </form>
  );
}

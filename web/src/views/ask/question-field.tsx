import { type FormEvent, type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from "react";
import { Button } from "../../ui/button.tsx";
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
  /** What stands beside the button. */
  readonly children?: ReactNode;
}

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
  children,
}: QuestionFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (field.current === null || field.current.value !== value) return;
    field.current.style.blockSize = "auto";
    field.current.style.blockSize = `${field.current.scrollHeight + 2}px`;
  }, [value]);
  useLayoutEffect(() => {
    if (autoFocus) field.current?.focus({ preventScroll: true });
  }, [autoFocus]);
  const canSend = value.trim() !== "" && !isSending;
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
        maxLength={MAX_QUESTION}
        aria-label={label}
        placeholder={placeholder}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="question-field-row">
        <div className="row">{children}</div>
        <Button type="submit" kind="main" isDisabled={!canSend}>
          {send}
        </Button>
      </div>
    </form>
  );
}

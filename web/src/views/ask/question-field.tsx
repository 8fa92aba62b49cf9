import { type FormEvent, type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { isBlank } from "../../../../src/util/visible-text.ts";
import { Button } from "../../ui/button.tsx";
import { isSendKey } from "../../ui/is-send-key.ts";
import { isTooLong, LengthFault } from "../../ui/length-fault.tsx";
import { useAccepted } from "../../ui/use-accepted.ts";
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
  /** Whether something else than the question keeps it from being sent. */
  readonly isBlocked?: boolean;
  /** Whether a long text can be attached as a file. */
  readonly isAttachable?: boolean;
  /** What stands beside the button. */
  readonly children?: ReactNode;
}

/** A field that grows with its text. Enter sends, with Shift it begins a new line. */
export function QuestionField({
  label,
  send,
  value,
  onChange,
  onSend,
  isSending,
  placeholder,
  autoFocus = false,
  isBlocked = false,
  isAttachable = false,
  children,
}: QuestionFieldProps) {
  const fault = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (field.current === null || field.current.value !== value) return;
    field.current.style.blockSize = "auto";
    field.current.style.blockSize = `${field.current.scrollHeight + 2}px`;
  }, [value]);
  useLayoutEffect(() => {
    if (autoFocus) field.current?.focus({ preventScroll: true });
  }, [autoFocus]);
  const max = useAccepted()?.characters.question;
  const isLong = isTooLong(value, max);
  const canSend = !isBlank(value) && !isLong && !isBlocked && !isSending;
  const submit = (event?: FormEvent): void => {
    event?.preventDefault();
    if (canSend) onSend();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isSendKey(event)) return;
    event.preventDefault();
    submit();
  };
  return (
    <form className="question-field" onSubmit={submit}>
      <textarea
        ref={field}
        name="question"
        dir="auto"
        rows={1}
        aria-invalid={isLong}
        aria-describedby={isLong ? fault : undefined}
        aria-label={label}
        placeholder={placeholder}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={onKeyDown}
      />
      <LengthFault id={fault} text={value} max={max} isAttachable={isAttachable} />
      <div className="question-field-row">
        <div className="row">{children}</div>
        <Button type="submit" kind="main" isDisabled={!canSend}>
          {send}
        </Button>
      </div>
    </form>
  );
}

import { type ReactNode, useEffect, useRef, useState } from "react";

export interface FoldProps {
  readonly summary: ReactNode;
  readonly children: () => ReactNode;
  /** The element's id, to which an address can lead. */
  readonly id?: string;
  readonly className?: string;
  readonly startsOpen?: boolean;
  /** Opens it, and brings it into view once. */
  readonly isTarget?: boolean;
}

/** A native disclosure whose content exists only while it is open, so that long lists of closed ones stay light. */
export function Fold({ summary, children, id, className = "", startsOpen = false, isTarget = false }: FoldProps) {
  const [isOpen, setOpen] = useState(startsOpen || isTarget);
  const element = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (!isTarget) return;
    setOpen(true);
    element.current?.scrollIntoView({ block: "center" });
  }, [isTarget]);
  return (
    <details
      id={id}
      ref={element}
      className={`fold ${className}`}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{summary}</summary>
      {isOpen && <div className="fold-content">{children()}</div>}
    </details>
  );
}

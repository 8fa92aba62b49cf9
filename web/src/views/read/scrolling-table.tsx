import type { ReactNode } from "react";

/** A table that is wider than its place scrolls by itself, also by keyboard. */
export function ScrollingTable({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section className="read-table scrolls" tabIndex={0} aria-label={label}>
      <table>{children}</table>
    </section>
  );
}

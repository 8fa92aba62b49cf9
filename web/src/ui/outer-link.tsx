import type { ReactNode } from "react";

/** A link to another site, from content that this page does not trust. Other schemes than http are shown as text. */
export function OuterLink({ url, children }: { readonly url: string; readonly children: ReactNode }) {
  if (!isWebAddress(url)) return <span>{children}</span>;
  return (
    <a href={url} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
}

export function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}

/** The host, or the scheme of other addresses, such as `corpus`. */
export function placeOf(url: string): string {
  if (isWebAddress(url)) return new URL(url).host.replace(/^www\./, "");
  return url.slice(0, Math.max(0, url.indexOf(":")));
}

import { type AnchorHTMLAttributes, type MouseEvent, type ReactNode, useMemo, useSyncExternalStore } from "react";
import { atBase, withoutBase } from "../api/base-path.ts";

export interface Address {
  readonly path: string;
  readonly query: URLSearchParams;
  /** Without `#`. */
  readonly hash: string;
}

const listeners = new Set<() => void>();

addEventListener("popstate", () => tell());

function tell(): void {
  for (const listener of listeners) listener();
}

/** Goes to a path of this page, with its query and hash. Views keep what should survive a reload in the address. */
export function navigate(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  const from = location.href;
  const address = atBase(to);
  const isSame = new URL(address, from).href === from;
  if (replace || isSame) history.replaceState(history.state, "", address);
  else history.pushState({ from }, "", address);
  tell();
}

/** Leaves a place within a view. If it was opened from there, the browser goes back, so that its Back button does not open it again. */
export function leaveTo(to: string): void {
  if (history.state?.from !== new URL(atBase(to), location.href).href) return navigate(to, { replace: true });
  // Where the reader has scrolled to meanwhile stays.
  const top = scrollY;
  addEventListener("popstate", () => requestAnimationFrame(() => scrollTo(0, top)), { once: true });
  history.back();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useAddress(): Address {
  const href = useSyncExternalStore(subscribe, () => location.href);
  return useMemo(() => {
    const { pathname, searchParams, hash } = new URL(href);
    return { path: withoutBase(pathname), query: searchParams, hash: hash.slice(1) };
  }, [href]);
}

/** Returns the values of `:names` in a pattern such as `/runs/:id`, or null if the path is another one. A last `*` matches any rest. */
export function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | null {
  const wanted = pattern.split("/").filter((part) => part !== "");
  const given = path.split("/").filter((part) => part !== "");
  const open = wanted.at(-1) === "*";
  if (open ? given.length < wanted.length - 1 : given.length !== wanted.length) return null;
  const values: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? "";
    if (part.startsWith(":")) values[part.slice(1)] = safeDecode(value);
    else if (part !== "*" && part !== value) return null;
  }
  return values;
}

/** Returns what a path shows: its first two parts. The rest is a place in it, so going there keeps the view, its state and its scrolling. */
export function subjectOf(path: string): string {
  return path.split("/").slice(0, 3).join("/");
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> {
  readonly to: string;
  /** Whether it takes the place of the address that is shown, for steps within a view. */
  readonly replace?: boolean;
  readonly children: ReactNode;
}

/** A link within the page. New tabs and windows work as for any link. */
export function Link({ to, replace = false, children, onClick, ...others }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event);
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || !isPlain) return;
    event.preventDefault();
    navigate(to, { replace });
  };
  return (
    <a {...others} href={atBase(to)} onClick={follow}>
      {children}
    </a>
  );
}

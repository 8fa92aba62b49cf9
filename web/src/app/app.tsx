import { Suspense, useEffect, useRef, useSyncExternalStore } from "react";
import { onSessionChange, sessionChanges } from "../api/sign-in.ts";
import { LanguageProvider, useWords } from "../i18n/language.tsx";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { Loading } from "../ui/notice.tsx";
import { appWords } from "./app-words.ts";
import { Header } from "./header.tsx";
import { KeyForm } from "./key-form.tsx";
import { Link, matchPath, subjectOf, useAddress } from "./router.tsx";
import { ROUTES } from "./routes.ts";

export function App() {
  const changes = useSyncExternalStore(onSessionChange, sessionChanges);
  return (
    <LanguageProvider>
      <Header />
      <KeyForm />
      <Main key={changes} />
    </LanguageProvider>
  );
}

function Main() {
  const say = useWords(appWords);
  const { path } = useAddress();
  const subject = subjectOf(path);
  useTitle(path);
  const main = useRef<HTMLElement>(null);
  const first = useRef(subject);
  // A reader of the screen is told of the new view: the focus goes to its main part.
  useEffect(() => {
    if (first.current === subject) return;
    first.current = subject;
    main.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [subject]);
  return (
    <main id="main" ref={main} tabIndex={-1}>
      <ErrorBoundary key={subject} message={say("broken")} reload={say("reload")} unreachable={say("unreachable")}>
        <Suspense fallback={<Loading label={say("loading")} />}>
          <CurrentView path={path} />
        </Suspense>
      </ErrorBoundary>
    </main>
  );
}

const TITLES: Readonly<Record<string, "history" | "system" | "compare" | "replay">> = {
  "/history": "history",
  "/system": "system",
  "/compare": "compare",
  "/replay": "replay",
};

/** Names the tab after the view. A run says its own state and question. */
function useTitle(path: string): void {
  const say = useWords(appWords);
  const title = path === "/" ? null : (TITLES[path] ?? "noSuchPage");
  useEffect(() => {
    if (!path.startsWith("/runs/")) document.title = title === null ? "Dossier" : `${say(title)} – Dossier`;
  }, [path, title, say]);
}

function CurrentView({ path }: { readonly path: string }) {
  const say = useWords(appWords);
  for (const { pattern, view: View } of ROUTES) {
    const params = matchPath(pattern, path);
    if (params !== null) return <View params={params} />;
  }
  return (
    <>
      <h1>{say("noSuchPage")}</h1>
      <p>
        <Link to="/">{say("toAsk")}</Link>
      </p>
    </>
  );
}

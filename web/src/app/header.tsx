import { useSyncExternalStore } from "react";
import { useLanguage, useWords } from "../i18n/language.tsx";
import { LANGUAGES } from "../i18n/words.ts";
import { appWords } from "./app-words.ts";
import "./header.css";
import { Link, useAddress } from "./router.tsx";
import { chooseTheme, THEMES, useTheme } from "./theme.ts";

const VIEWS = [
  { to: "/", word: "ask" },
  { to: "/history", word: "history" },
  { to: "/system", word: "system" },
] as const;

const LANGUAGE_NAMES = { en: "English", zh: "中文" } as const;
/** What a narrow page shows of them. */
const LANGUAGE_SIGNS = { en: "EN", zh: "中" } as const;
const THEME_WORDS = { system: "themeSystem", light: "themeLight", dark: "themeDark" } as const;

export function Header() {
  const say = useWords(appWords);
  const { path } = useAddress();
  return (
    <header className="header">
      <a className="header-skip" href="#main">
        {say("skip")}
      </a>
      <Link to="/" className="header-name">
        Dossier
      </Link>
      <nav aria-label={say("navigation")}>
        {VIEWS.map(({ to, word }) => (
          <Link key={to} to={to} aria-current={isIn(to, path) ? "page" : undefined}>
            {say(word)}
          </Link>
        ))}
      </nav>
      <div className="header-choices">
        <LanguageChoice />
        <ThemeChoice />
      </div>
      <OfflineNotice />
    </header>
  );
}

/** Runs, replays and comparisons belong to the history. */
function isIn(to: string, path: string): boolean {
  if (to !== "/history") return path === to;
  return /^\/(?:history|runs|compare|replay)(?:\/|$)/.test(path);
}

function LanguageChoice() {
  const say = useWords(appWords);
  const { language, choose } = useLanguage();
  return (
    <span className="header-choice">
      <span className="header-sign" aria-hidden="true">
        {LANGUAGE_SIGNS[language]}
      </span>
      <select aria-label={say("language")} value={language} onChange={({ target }) => choose(target.value === "zh" ? "zh" : "en")}>
        {LANGUAGES.map((one) => (
          <option key={one} value={one} lang={one}>
            {LANGUAGE_NAMES[one]}
          </option>
        ))}
      </select>
    </span>
  );
}

function ThemeChoice() {
  const say = useWords(appWords);
  const theme = useTheme();
  const onChange = (value: string): void => chooseTheme(THEMES.find((one) => one === value) ?? "system");
  return (
    <span className="header-choice">
      <svg className="header-sign" viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="8" cy="8" r="6.5" />
        <path d="M8 1.5 a6.5 6.5 0 0 1 0 13 z" />
      </svg>
      <select aria-label={say("theme")} value={theme} onChange={({ target }) => onChange(target.value)}>
        {THEMES.map((one) => (
          <option key={one} value={one}>
            {say(THEME_WORDS[one])}
          </option>
        ))}
      </select>
    </span>
  );
}

function OfflineNotice() {
  const say = useWords(appWords);
  const isOnline = useSyncExternalStore(subscribeToNetwork, () => navigator.onLine);
  return isOnline ? null : (
    <p className="header-offline" role="status">
      {say("offline")}
    </p>
  );
}

function subscribeToNetwork(listener: () => void): () => void {
  const done = new AbortController();
  addEventListener("online", listener, { signal: done.signal });
  addEventListener("offline", listener, { signal: done.signal });
  return () => done.abort();
}

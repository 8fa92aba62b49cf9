import { useWords } from "../../i18n/language.tsx";
import { isWebAddress, OuterLink, placeOf } from "../../ui/outer-link.tsx";
import type { ComponentProps } from "./component-props.ts";
import { componentWords } from "./component-words.ts";
import { firstOf, textOf } from "./read-props.ts";

/** A source that a tool shows. Its address is a link only if it is a web address. */
export function SourceCard({ props }: ComponentProps) {
  const say = useWords(componentWords);
  const url = textOf(firstOf(props, "url", "link", "href"));
  const title = textOf(firstOf(props, "title", "name"));
  const text = textOf(firstOf(props, "quote", "snippet", "description", "text"));
  const details = [
    textOf(firstOf(props, "publisher", "siteName", "author")),
    isWebAddress(url) ? placeOf(url) : "",
    textOf(firstOf(props, "publishedAt", "date")).slice(0, 10),
  ];
  return (
    <>
      <p className="component-heading">
        <OuterLink url={url}>{title || url || say("untitled")}</OuterLink>
      </p>
      <p className="quiet">{details.filter((part) => part !== "").join(" · ")}</p>
      {text !== "" && <blockquote className="quoted component-text">{text}</blockquote>}
      {url !== "" && !isWebAddress(url) && <p className="quiet">{say("notWeb", { url })}</p>}
    </>
  );
}

const MAX_LENGTH = 100_000;

interface Block {
  readonly kind: "heading" | "list" | "paragraph";
  readonly lines: string[];
}

/** Shows headings, lists and paragraphs of Markdown as such, and everything else as it is written: no links, images or HTML. */
export function PlainMarkdown({ text }: { readonly text: string }) {
  return (
    <div className="component-markdown">
      {blocksOf(text.slice(0, MAX_LENGTH)).map(({ kind, lines }, index) => {
        if (kind === "heading") {
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: blocks only get more
            <p key={index} className="component-heading">
              {lines[0]}
            </p>
          );
        }
        if (kind === "list") {
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: blocks only get more
            <ul key={index}>
              {lines.map((line, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: entries only get more
                <li key={at}>{plain(line)}</li>
              ))}
            </ul>
          );
        }
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks only get more
        return <p key={index}>{plain(lines.join("\n"))}</p>;
      })}
    </div>
  );
}

function plain(text: string): string {
  return text.replaceAll("**", "");
}

function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: Block | null = null;
  for (const line of text.split("\n")) {
    const [kind, content] = lineOf(line);
    if (kind === "blank") {
      open = null;
    } else if (kind === "heading" || open === null || open.kind !== kind) {
      open = { kind, lines: [content] };
      blocks.push(open);
      if (kind === "heading") open = null;
    } else open.lines.push(content);
  }
  return blocks;
}

function lineOf(line: string): readonly ["blank" | Block["kind"], string] {
  const text = line.trim();
  if (text === "") return ["blank", ""];
  if (/^#{1,6} /.test(text)) return ["heading", text.slice(text.indexOf(" ") + 1)];
  if (/^[-*+] /.test(text)) return ["list", text.slice(2)];
  return ["paragraph", text];
}

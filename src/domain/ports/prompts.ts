/**
 * The text of the prompt of that name, such as `writer` or `messages/writer-passages`, with its placeholders filled by `values` as they
 * are: nothing in a value is read as a placeholder.
 */
export type RenderPrompt = (name: string, values: Readonly<Record<string, string>>) => Promise<string>;

/** SHA-256 (hex) of templates, by their names. */
export type PromptHashes = Readonly<Record<string, string>>;

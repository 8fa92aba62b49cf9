/** What a view gets from its address: the `:names` of its pattern. */
export interface ViewProps {
  readonly params: Readonly<Record<string, string>>;
}

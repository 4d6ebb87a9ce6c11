import type { FoundReference } from '../reference';

/** Where in a shell script a reference stands: how the shell reads the text there. */
export type Quoting =
  | 'bare'
  | 'double'
  | 'here-document'
  /** In these the shell expands no variable. */
  | 'single'
  | 'quoted-here-document'
  /** In these the shell would evaluate the value as an expression, or read it in a way that no quoting prevents. */
  | 'arithmetic'
  | 'expansion'
  | 'backquotes';

export interface PlacedReference {
  readonly found: FoundReference;
  readonly quoting: Quoting;
  /** The words of its simple command before the word that it is in. */
  readonly before: readonly string[];
  /** What is before it in its own word. */
  readonly prefix: string;
}

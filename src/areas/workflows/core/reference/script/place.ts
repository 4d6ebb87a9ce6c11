import type { FoundReference } from '../reference';

/** The quoting context of a reference in a shell script. */
export type Quoting =
  | 'bare'
  | 'double'
  | 'here-document'
  /** Contexts without variable expansion. */
  | 'single'
  | 'quoted-here-document'
  /**
   * Contexts in which the shell would evaluate the value as an expression, or which no quoting makes safe.
   */
  | 'arithmetic'
  | 'expansion'
  | 'backquotes';

export interface PlacedReference {
  readonly found: FoundReference;
  readonly quoting: Quoting;
}

import type { Result } from '@contract/result';

/** Files that agents reach through Muster. Links are resolved before a path is checked. */
export interface WorkspaceFiles {
  /**
   * Fails with `input.invalid` if the path leads out of all `roots`, with `not_found` if there is no such
   * file.
   */
  readText(path: string, roots: readonly string[]): Promise<Result<string>>;
  /** Creates missing folders. Fails like a read. */
  writeText(path: string, text: string, roots: readonly string[]): Promise<Result<null>>;
  /** Whether a path, with links resolved, is in one of `roots`: the rule for reads and writes. */
  inside(path: string, roots: readonly string[]): Promise<boolean>;
  /** Whether `writeText` would accept the path: inside a root, and not a git file. */
  mayWrite(path: string, roots: readonly string[]): Promise<boolean>;
  /** A file attached by the operator, from anywhere. */
  readBytes(path: string): Promise<Result<Uint8Array>>;
  /** True if both are the same file or folder, with links resolved. */
  same(a: string, b: string): Promise<boolean>;
  isFile(path: string): Promise<boolean>;
  /** A path with links resolved; for a missing file, starting from its nearest existing folder. */
  real(path: string): Promise<string>;
}

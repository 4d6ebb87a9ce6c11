import type { Result } from '@contract/result';

/** Files as an agent may reach them through Muster. Links are resolved before a path is judged. */
export interface WorkspaceFiles {
  /** Refused (`input.invalid`) where the path leads out of all `roots`; `not_found` where there is no such file. */
  readText(path: string, roots: readonly string[]): Promise<Result<string>>;
  /** Makes missing folders. Refused like a read. */
  writeText(path: string, text: string, roots: readonly string[]): Promise<Result<null>>;
  /** Whether a path is in one of `roots` once links are resolved: the rule of reads and writes. */
  inside(path: string, roots: readonly string[]): Promise<boolean>;
  /** Whether `writeText` would accept the path: inside, and no file of git. */
  mayWrite(path: string, roots: readonly string[]): Promise<boolean>;
  /** A file that the operator attached, from anywhere. */
  readBytes(path: string): Promise<Result<Uint8Array>>;
  /** True where both are the same file or folder once links are resolved. */
  same(a: string, b: string): Promise<boolean>;
  isFile(path: string): Promise<boolean>;
  /** Where a path really leads; what does not exist yet lies where its nearest existing folder really is. */
  real(path: string): Promise<string>;
}

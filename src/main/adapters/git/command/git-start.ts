export interface GitStart {
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: Uint8Array | null;
  /**
   * Runs git in its own session, with files in this folder as input and output, so that it completes even if
   * Muster is killed. For commands that change a checkout.
   */
  readonly detached?: string;
  /** Ended after this time. */
  readonly longestMs?: number;
}

/** Git failed, could not be started, or was killed by a signal. */
export class GitError extends Error {
  constructor(
    message: string,
    /** Null if git could not be started, or was killed by a signal. */
    readonly code: number | null,
    /** It was killed while working, or its thread died: its work may or may not be done. */
    readonly cutOff = false,
  ) {
    super(message);
  }
}

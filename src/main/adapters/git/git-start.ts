export interface GitStart {
  readonly args: readonly string[];
  readonly cwd: string;
  /** All of it: nothing is inherited. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: Uint8Array | null;
  /**
   * Git runs in a session of its own, and its input and output are files in this folder: it ends its work even when
   * Muster is killed. For commands that change a checkout.
   */
  readonly detached?: string;
}

/** Git failed, could not be started, or was ended by a signal. */
export class GitError extends Error {
  constructor(
    message: string,
    /** Null where git could not be started or was ended by a signal. */
    readonly code: number | null,
    /** It was killed in the middle of its work, or the thread that ran it died: it may have been done or not. */
    readonly cutOff = false,
  ) {
    super(message);
  }
}

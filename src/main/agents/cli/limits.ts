/** Time limits in milliseconds; tests shorten them. */
export interface CliLimits {
  /** From the program's start to its prompt, or to a question that only the operator can answer. */
  readonly startMs: number;
  /** How long a starting program must be quiet before its screen is examined. */
  readonly settleMs: number;
  /** How often a turn in flight is checked. */
  readonly tickMs: number;
  /** How long pasted text may take to appear before Enter is pressed. */
  readonly echoMs: number;
  /** Without an effect in this time, Enter is pressed again. */
  readonly submitMs: number;
  /** How long an agent may take to react to a cancellation before its process group is ended. */
  readonly cancelMs: number;
  /** How long it may take to end on request. */
  readonly leaveMs: number;
  /** From TERM to KILL. */
  readonly killMs: number;
  /** Maximum age of a sign of life for the agent to count as working. */
  readonly freshMs: number;
  /** Without `silence_minutes`: after this time it counts as stalled, and the operator is asked. */
  readonly stallMs: number;
  /** After this quiet time a turn counts as done, if nothing better marks its end. */
  readonly idleMs: number;
}

export const defaultLimits: CliLimits = {
  startMs: 60_000,
  settleMs: 1500,
  tickMs: 500,
  echoMs: 1500,
  submitMs: 5000,
  cancelMs: 5000,
  leaveMs: 1500,
  killMs: 1500,
  freshMs: 60_000,
  stallMs: 10 * 60_000,
  idleMs: 15_000,
};

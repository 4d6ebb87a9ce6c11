/** Limits of time, in milliseconds; tests shorten them. */
export interface CliLimits {
  /** From the start of the program to its prompt, or to a question that only the operator can answer. */
  readonly startMs: number;
  /** Milliseconds a program must be quiet at its start before its screen is judged. */
  readonly settleMs: number;
  /** How often a turn in flight is looked at. */
  readonly tickMs: number;
  /** How long what was pasted may take to appear before Enter is pressed. */
  readonly echoMs: number;
  /** After this time without an effect Enter is pressed once more. */
  readonly submitMs: number;
  /** How long an agent may take to heed a cancel before its group is ended. */
  readonly cancelMs: number;
  /** How long it may take to leave when it is asked to. */
  readonly leaveMs: number;
  /** From TERM to KILL. */
  readonly killMs: number;
  /** A sign of life this fresh means that it works. */
  readonly freshMs: number;
  /** Without `silence_minutes`: from here on it counts as stalled, which is only said. */
  readonly stallMs: number;
  /** Quiet for so long, a turn counts as done where nothing better tells. */
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

/** The durable keys of step.loop. */
export const iterationKeys = {
  /** The question after a pass. */
  'iteration.gate': ['number'],
  /** Checks after a pass whether `until_command` ends the loop. */
  'iteration.check': ['number'],
} as const;

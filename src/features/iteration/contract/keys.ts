/** The durable keys of step.loop. */
export const iterationKeys = {
  /** The question after a pass. */
  'iteration.gate': { parts: ['number'], stored: 'pass {0}' },
  /** Checks after a pass whether `until_command` ends the loop. */
  'iteration.check': { parts: ['number'], stored: 'pass check {0}' },
} as const;

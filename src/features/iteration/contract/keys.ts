/** The durable keys of step.loop. */
export const iterationKeys = {
  /** The question after a pass. */
  'iteration.gate': { parts: ['number'], stored: 'pass {0}' },
  /** Whether `until_command` ends the loop after a pass. */
  'iteration.check': { parts: ['number'], stored: 'pass check {0}' },
} as const;

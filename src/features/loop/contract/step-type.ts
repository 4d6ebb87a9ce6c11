/** The type of its step in workflows. */
export const LOOP_STEP = 'step.ralph';

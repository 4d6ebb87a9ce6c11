/** The type of its step, as workflows name it. */
export const LOOP_STEP = 'step.ralph';

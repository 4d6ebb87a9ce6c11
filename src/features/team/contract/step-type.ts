/** The type of its step, as workflows name it. */
export const TEAM_STEP = 'step.team';

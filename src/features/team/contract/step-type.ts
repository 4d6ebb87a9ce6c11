/** The type of its step in workflows. */
export const TEAM_STEP = 'step.team';

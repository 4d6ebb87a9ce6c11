import type { ActionSpecs } from '../../client/actions';

export const settingsActions = {} as const satisfies ActionSpecs;

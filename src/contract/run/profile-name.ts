import { ownValue } from '../own';
import type { RunState } from './state';

/** An agent profile's name, as given by the operator; its id if the run does not know it. */
export const profileName = ({ profiles }: Pick<RunState, 'profiles'>, id: string): string =>
  ownValue(profiles, id)?.name ?? id;

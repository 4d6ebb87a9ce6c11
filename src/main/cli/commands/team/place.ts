import type { Result } from '@contract/result';
import { type FoundTeam, findTeam } from '../../../api/team-address';
import type { Link } from '../../link/link';

export const BY = 'command line';

/** The team that `RUN` or `RUN/STEP` names. */
export function teamAt(link: Link, address: string): Promise<Result<FoundTeam>> {
  const [run = '', step] = address.split('/');
  return findTeam(link, { run, step });
}

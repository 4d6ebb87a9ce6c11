import type { Result } from '@contract/result';
import type { Link } from '@main/cli/link/link';
import { type FoundTeam, findTeam } from '../address';

export const BY = 'command line';

/** The team that `RUN` or `RUN/STEP` names. */
export function teamAt(link: Link, address: string): Promise<Result<FoundTeam>> {
  const [run = '', step] = address.split('/');
  return findTeam(link, { run, step });
}

import type { Result } from '@contract/result';
import type { Link } from '@main/cli/link/link';
import { type FoundTeam, findTeam } from '../address';

export const BY = 'command line';

/** The team named by `RUN` or `RUN/STEP`. */
export function teamAt(link: Link, address: string): Promise<Result<FoundTeam>> {
  const [run = '', step] = address.split('/');
  return findTeam(link, { run, step });
}

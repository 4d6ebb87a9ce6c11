import type { RunRow } from '@contract/run/procedures';
import { ask } from '../../api/core-service';
import { liveRuns } from '../address';
import type { Link } from '../link/link';
import { shownName } from '../output/columns';

/** A run with one of these statuses is parked if no core works on it: the status is from the last core. */
const UNDER_WAY = ['running', 'limited', 'cancelling'] as const;

/** Limits one query; `muster list` shows the others. */
const MOST = 100;

/** Runs that are not finished and that no core is working on, such as after the end of the machine. */
export async function parkedRuns(link: Pick<Link, 'call' | 'kind'>): Promise<readonly RunRow[]> {
  const listed = await Promise.all(UNDER_WAY.map((status) => ask(link, 'run.list', { status, limit: MOST })));
  // Asked for after the list: a run that starts meanwhile is not in it.
  const live = await liveRuns(link);
  return listed.flatMap((found) => (found.ok ? found.value.rows : [])).filter(({ id }) => !live(id));
}

/** A section that names them, for a table. */
export const parkedSection = (runs: readonly RunRow[]): [string, string[][]] => [
  'Parked: no Muster is working on these',
  runs.map(({ id, now, name }) => [String(id), now ?? '-', shownName(name)]),
];

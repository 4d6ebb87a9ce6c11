import { type AppError, appError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';
import type { OpenOptions } from '../command';
import type { Folders } from '../folders';
import type { Link } from '../link/link';
import type { World } from '../program';

/** A simulated process: its output, and the core or sequence of cores that it finds. */
export function fakeWorld(
  args: readonly string[],
  found: Link | readonly Link[] | AppError = appError('unavailable', 'none'),
) {
  const said = { out: '', err: '' };
  const opened: { folders: Folders; options: OpenOptions }[] = [];
  const stop = new AbortController();
  const writer = (name: 'out' | 'err') => ({
    write: (text: string): void => {
      said[name] += text;
    },
  });
  const open = async (folders: Folders, options: OpenOptions): Promise<Result<Link>> => {
    opened.push({ folders, options });
    if ('code' in found) return err(found);
    const link = 'call' in found ? found : found[opened.length - 1];
    return link === undefined ? fail('unavailable', 'no more cores') : ok(link);
  };
  const world: World = {
    args,
    env: { MUSTER_DATA_DIR: '/data' },
    cwd: '/work',
    version: '1.2.3',
    out: writer('out'),
    err: writer('err'),
    stop: stop.signal,
    readInput: async () => 'from the standard input',
    confirm: async () => null,
    open,
  };
  return { world, said, opened, stop };
}

import { appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import type { HunksWanted } from '../../../core/ports/workspaces/workspace-edits';
import { type CheckoutOptions, findCheckout, findStore } from '../checkout';
import type { Git } from '../command/git-command';
import { presentState } from '../snapshot/present-state';
import { firstSnapshot } from '../snapshot/snapshot';
import type { Between } from './file-list';

export interface DiffRange {
  readonly git: Git;
  readonly root: string;
  readonly between: Between;
  /** The folder itself is there. */
  readonly alive: boolean;
}

type From = HunksWanted['from'];

/** The two commits, or the folder's current tree; null if the folder cannot have snapshots. */
export async function findSides(
  wanted: HunksWanted,
  options: CheckoutOptions,
): Promise<Result<DiffRange | null>> {
  const { place } = wanted;
  const checkout = await findCheckout(place, options);
  if (!checkout.ok && wanted.to === null) return checkout;
  if (checkout.ok && checkout.value === null) return ok(null);
  const there = checkout.ok ? checkout.value : null;
  const store = there === null ? await findStore(place, options) : ok(there.git);
  if (!store.ok) return store;
  if (store.value === null) return ok(null);
  const git = store.value;
  const from = (await findSide(git, wanted.from)) ?? (wanted.from.orEmpty ? await emptyTree(git) : null);
  if (from === null) return err(gone('beginning', wanted.from));
  let to: string | null;
  if (wanted.to !== null) to = await findSide(git, wanted.to);
  else to = there === null ? null : (await presentState(there)).tree;
  if (to === null) return err(gone('end', wanted.to ?? wanted.from));
  return ok({
    git,
    root: there?.top ?? place.path,
    alive: there !== null,
    between: { from, to, scope: there?.scope ?? '' },
  });
}

const emptyTree = (git: Git): Promise<string> => git.text('hash-object', '-t', 'tree', '--stdin');

async function findSide(git: Git, side: Pick<From, 'snapshots' | 'commit'>): Promise<string | null> {
  const named = await firstSnapshot(git, side.snapshots);
  if (named !== null || side.commit === null) return named;
  // Also a tree: a plain folder begins with the empty one.
  const known = await git.maybe('rev-parse', '--verify', '--quiet', `${side.commit}^{tree}`);
  return known === null ? null : side.commit;
}

function gone(which: 'beginning' | 'end', side: Pick<From, 'snapshots' | 'commit'>) {
  const names = [...side.snapshots, ...(side.commit === null ? [] : [side.commit])].slice(0, 3);
  const what = names.length === 0 ? 'no snapshot was taken' : `${names.join(', ')} is not in the repository`;
  return appError('not_found', `The ${which} of these changes is gone: ${what}.`);
}

import type { FolderState } from '../../../core/ports/workspaces/workspaces';
import type { Checkout } from '../checkout';
import { gitState } from '../snapshot/git-state';
import { type Present, presentState } from '../snapshot/present-state';
import { type Marker, readMarker } from './marker';

/** How agents left git in a folder, with what its mark says about its beginning. */
export async function folderState(checkout: Checkout, known: Present | null = null): Promise<FolderState> {
  const { git, gitDir, folder } = checkout;
  const marker = folder === null ? null : await readMarker(gitDir);
  const present = known ?? (await presentState(checkout));
  const start = marker === null ? null : startOf(marker);
  const commit =
    start === null ? null : await git.maybe('rev-parse', '--verify', '--quiet', `${start}^{commit}`);
  const branch = marker?.branch ?? null;
  return gitState(checkout, { tree: present.tree, start: commit, branch, freed: marker?.released ?? null });
}

/** The commit at which the folder's branch began; `base` may be a snapshot on top of it. */
const startOf = ({ base, fill }: Marker): string => (fill !== null && fill === base ? `${base}^` : base);

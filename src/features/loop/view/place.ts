import { runPlaces } from '@areas/runs/view/parts/run-place';

/** A loop in an address: `loop/RUN/ACTIVATION`, optionally with `attempt/N` or `gate/N`. */
export const { placeOf, pathOf, hashAt: hashOfLoop } = runPlaces('loop', ['attempt', 'gate']);

export type { RunAt as LoopAt } from '@areas/runs/view/parts/run-place';

export const attemptOfRow = (row: string | null): number | null =>
  row?.startsWith('attempt/') ? Number(row.slice('attempt/'.length)) : null;

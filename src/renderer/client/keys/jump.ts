import type { Aim } from '@areas/workflows/contract/place';
import type { Problem } from '@contract/errors';
import { Cell } from '../store';

/** A place in a workflow file that the operator asked to see, until a view has shown it. */
interface Jump {
  readonly projectId: number;
  readonly file: string;
  readonly aim: Aim;
  readonly problem: Problem;
}

export const jumps = new Cell<Jump | null>(null);

/** Whether a jump targets this file, and in it the part that the caller shows. */
export const leadsTo = (
  jump: Jump | null,
  place: { readonly projectId: number; readonly file: string },
  kind: Aim['kind'],
): jump is Jump =>
  jump !== null && jump.projectId === place.projectId && jump.file === place.file && jump.aim.kind === kind;

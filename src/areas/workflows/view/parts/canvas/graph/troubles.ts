import type { Problem } from '@contract/errors';
import type { Json } from '@contract/ids';
import { partsOf, placeOf } from '../../../../contract/place';
import type { StepTrouble } from '../flow/faces';

/** The problem of each step, by its key: the first error, or else the first warning. */
export function stepTroubles(document: Json, problems: readonly Problem[]): ReadonlyMap<string, StepTrouble> {
  const found = new Map<string, StepTrouble>();
  for (const { severity, message, where } of problems) {
    const key = where?.path === undefined ? null : keyAt(document, where.path);
    if (key === null) continue;
    const known = found.get(key);
    if (known === undefined || (known.severity === 'warning' && severity === 'error'))
      found.set(key, { severity, text: message });
  }
  return found;
}

/** The innermost step of a path in the file, such as `steps[2].config.body.steps[0].config.script`. */
function keyAt(document: Json, path: string): string | null {
  const { step } = placeOf(document, partsOf(path));
  return step.length === 0 ? null : step.join('/');
}

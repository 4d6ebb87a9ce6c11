import type { Json } from '@contract/ids';
import { changesOf, pathOfStep, type RenamedTexts, shown } from './apply-edit';
import { applyChange, valueAt } from './change';
import type { WorkflowEdit } from './edit';

/** A place that refers to a step removed by edits. */
export interface Dangling {
  /** The removed step. */
  readonly removed: string;
  /** The place that still refers to it: `steps[2].config.instruction`. */
  readonly path: string;
  /** The step that contains the place; null for a key of the workflow or of a body. */
  readonly step: string | null;
}

/** Matches no step: an id cannot start with a digit. */
const NO_ID = '0';

/** Remaining references to removed steps. Cables are excluded, since they are removed with the step. */
export function danglingAfter(
  document: Json,
  edits: readonly WorkflowEdit[],
  renamed: RenamedTexts,
): Dangling[] {
  let value = document;
  const found: Dangling[] = [];
  for (const edit of edits) {
    const changes = changesOf(value, edit, renamed);
    if (!changes.ok) return found;
    if (edit.kind === 'step.remove') found.push(...namesOf(value, edit.step, renamed));
    value = changes.value.reduce<Json>(applyChange, value);
  }
  return found;
}

function namesOf(document: Json, step: readonly string[], renamed: RenamedTexts): Dangling[] {
  const own = pathOfStep(document, step) ?? [];
  const named = changesOf(document, { kind: 'step.rename', step: [...step], id: NO_ID }, renamed);
  const places = (named.ok ? named.value : []).map(({ path }) => path);
  return places
    .filter((path) => !own.every((part, index) => path[index] === part) && path[own.length - 2] !== 'cables')
    .map((path) => {
      const at = path.findLastIndex((part, index) => typeof part === 'number' && path[index - 1] === 'steps');
      const id = at < 0 ? undefined : valueAt(document, [...path.slice(0, at + 1), 'id']);
      return { removed: step.at(-1) ?? '', path: shown(path), step: typeof id === 'string' ? id : null };
    });
}

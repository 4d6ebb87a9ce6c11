import type { Json } from '@contract/ids';
import { changesOf, type RenamedTexts } from './apply-edit';
import { applyChange, type Change, valueAt } from './change';
import type { WorkflowEdit } from './edit';

/**
 * Whether edits based on one state of a file mean the same on a later state: the steps, cables and values
 * that they change still exist unchanged.
 */
export function editsHold(
  states: { readonly base: Json; readonly now: Json },
  edits: readonly WorkflowEdit[],
  renamed?: RenamedTexts,
): boolean {
  let { base, now } = states;
  for (const edit of edits) {
    const [on, later] = [changesOf(base, edit, renamed), changesOf(now, edit, renamed)];
    if (!on.ok || !later.ok) return false;
    if (!ADDS.has(edit.kind) && !sameBefore({ base, now }, on.value, later.value)) return false;
    base = on.value.reduce<Json>(applyChange, base);
    now = later.value.reduce<Json>(applyChange, now);
  }
  return true;
}

/** These are located by an id or the ends of a cable, and change nothing else. */
const ADDS: ReadonlySet<WorkflowEdit['kind']> = new Set([
  'step.add',
  'step.rename',
  'cable.add',
  'cable.remove',
]);

function sameBefore(
  { base, now }: { base: Json; now: Json },
  on: readonly Change[],
  later: readonly Change[],
): boolean {
  // A step's cables can change without changing the step.
  const values = (document: Json, changes: readonly Change[]) =>
    changes
      .filter(({ path }) => path.at(-1) !== 'cables')
      .map((change) => JSON.stringify(placeIn(document, change)) ?? '');
  const [before, after] = [values(base, on), values(now, later)];
  return before.length === after.length && before.every((one, index) => one === after[index]);
}

/** What a change replaces: in a list, the removed entry, or the whole list if entries are counted. */
function placeIn(document: Json, change: Change): Json | undefined {
  const path =
    change.op === 'remove' && change.path.at(-1) === 'steps' ? [...change.path, change.at] : change.path;
  return valueAt(document, path);
}

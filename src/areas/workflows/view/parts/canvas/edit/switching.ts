import { plural } from '@renderer/client/format';
import type { WorkflowEdit } from '../../../../contract/edit';
import type { CanvasStep } from '../graph/graph';
import type { Bench } from './acts';
import { editableSteps, stepPath, titleOf } from './wiring';

/** The selected steps that the file can change. */
function switchable({ graph, selection }: Pick<Bench, 'graph' | 'selection'>): readonly CanvasStep[] {
  const editable = editableSteps(graph);
  return [...selection.steps].flatMap((key) => editable.get(key) ?? []);
}

/** Whether a switch of the selection brings its steps back: only where all of them are off. */
export function bringsBack(bench: Pick<Bench, 'graph' | 'selection'>): boolean {
  const steps = switchable(bench);
  return steps.length > 0 && steps.every(({ step }) => step?.disabled === true);
}

/** The edit that switches a step off, or on again. */
export const switchEdit = (step: readonly string[], on: boolean): WorkflowEdit =>
  on
    ? { kind: 'value.unset', step: [...step], path: ['disabled'] }
    : { kind: 'value.set', step: [...step], path: ['disabled'], value: true };

/** Switches the selected steps off, or on again if all of them are off. One undo takes it back. */
export async function switchSteps(bench: Bench): Promise<void> {
  const steps = switchable(bench);
  const on = bringsBack(bench);
  const changed = steps.filter(({ step }) => (step?.disabled === true) === on);
  const [first] = changed;
  if (first === undefined) return bench.say('The selection cannot be switched off here');
  const edits = changed.map(({ key }) => switchEdit(stepPath(key), on));
  if (!(await bench.open.edit(edits))) return;
  const what = changed.length === 1 ? `${titleOf(first)} is` : `${plural(changed.length, 'step')} are`;
  bench.say(`${what} switched ${on ? 'on' : 'off'}`);
}

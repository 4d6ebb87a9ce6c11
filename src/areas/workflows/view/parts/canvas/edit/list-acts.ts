import type { MenuItem } from '@renderer/ui/controls/menu';
import type { Cable } from '../../../../contract/definition';
import { onlyCable, onlyStep, type Selection } from '../selection';
import { type Bench, copySteps, duplicate, remove } from './acts';
import { bringsBack, switchSteps } from './switching';
import { editableSteps } from './wiring';

export type BenchOf = (selection: Selection) => Bench;

interface StepMenu {
  readonly benchOf: BenchOf;
  readonly onOpen: (key: string) => void;
  readonly selected: ReadonlySet<string>;
  readonly onSelected: (key: string) => void;
}

/** The actions for one step. Empty for a step that this file cannot change. */
export function stepMenu(key: string, { benchOf, onOpen, selected, onSelected }: StepMenu): MenuItem[] {
  const bench = benchOf(onlyStep(key));
  if (!editableSteps(bench.graph).has(key)) return [];
  return [
    { id: 'open', label: 'Open its panel', run: () => onOpen(key) },
    { id: 'add', label: 'Add a step after it', run: () => bench.ask({ kind: 'type' }) },
    { id: 'connect', label: 'Connect to another step', run: () => bench.ask({ kind: 'connect', from: key }) },
    { id: 'outputs', label: 'Show its outputs', run: () => bench.ask({ kind: 'outputs', step: key }) },
    { id: 'rename', label: 'Rename', run: () => bench.ask({ kind: 'rename', step: key }) },
    { id: 'place', label: 'Move on the canvas', run: () => bench.ask({ kind: 'place', step: key }) },
    { id: 'duplicate', label: 'Duplicate', run: () => void duplicate(bench) },
    {
      id: 'switch',
      label: bringsBack(bench) ? 'Switch on' : 'Switch off',
      run: () => void switchSteps(bench),
    },
    { id: 'copy', label: 'Copy as YAML', run: () => void copySteps(bench) },
    { id: 'select', label: selected.has(key) ? 'Deselect' : 'Select', run: () => onSelected(key) },
    { id: 'remove', label: 'Remove', run: () => void remove(bench) },
  ];
}

/** The actions for one cable of a body. */
export function cableMenu(parent: string | null, { from, to }: Cable, benchOf: BenchOf): MenuItem[] {
  const { graph } = benchOf({ steps: new Set(), cable: null });
  const cable = graph.cables.find(
    (one) => one.parent === parent && one.cable.from === from && one.cable.to === to,
  );
  if (cable === undefined) return [];
  const bench = benchOf(onlyCable(cable.key));
  return [
    {
      id: 'reconnect',
      label: 'Reconnect',
      run: () => bench.ask({ kind: 'reconnect', cable: cable.key }),
    },
    { id: 'remove', label: 'Remove', run: () => void remove(bench) },
  ];
}

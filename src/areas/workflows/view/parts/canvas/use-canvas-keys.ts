import { holdsFocus } from '@areas/runs/view/parts/cards/trail';
import { useHandlers } from '@renderer/client/hooks';
import type { RefObject } from 'react';
import type { CanvasHandle } from './flow/canvas-handle';
import type { CanvasGraph } from './graph/graph';
import { type Direction, nextCable, nextStep } from './graph/walk';
import type { Placement } from './layout/place';
import { allOf, NOTHING, onlyCable, onlyStep, type Selection } from './selection';

export interface CanvasKeys {
  readonly graph: CanvasGraph;
  readonly placement: Placement;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  readonly onOpen: (key: string) => void;
  readonly onToggle: (key: string) => void;
  readonly say: (text: string) => void;
  readonly handle: RefObject<CanvasHandle | null>;
  readonly box: RefObject<HTMLElement | null>;
  readonly field: RefObject<HTMLInputElement | null>;
}

/**
 * The step from which keys continue: the last selected one, or the one from which the selected cable was
 * reached.
 */
export function stepAt({ graph, selection }: Pick<CanvasKeys, 'graph' | 'selection'>): string | null {
  const last = [...selection.steps].at(-1);
  if (last !== undefined) return graph.steps.some(({ key }) => key === last) ? last : null;
  return graph.cables.find(({ key }) => key === selection.cable)?.from.step ?? null;
}

/** The keys of every canvas, while it has the focus. */
export function useCanvasKeys(keys: CanvasKeys): void {
  const { graph, placement, selection, onSelect, handle, box, field } = keys;
  const here = stepAt(keys);
  const go = (direction: Direction, extend: boolean) => () => {
    const next = nextStep({ graph, placement }, here, direction);
    if (next === null) return;
    // Keys continue from the last step of a selection.
    const others = [...selection.steps].filter((key) => key !== next);
    onSelect(extend ? allOf([...others, next]) : onlyStep(next));
    handle.current?.show(next);
    if (extend) keys.say(`${others.length + 1} steps selected`);
  };
  const step = graph.steps.find(({ key }) => key === here);
  const nothing = selection.steps.size === 0 && selection.cable === null;
  useHandlers(
    {
      'canvas.right': go('right', false),
      'canvas.left': go('left', false),
      'canvas.down': go('down', false),
      'canvas.up': go('up', false),
      'canvas.extendRight': go('right', true),
      'canvas.extendLeft': go('left', true),
      'canvas.extendDown': go('down', true),
      'canvas.extendUp': go('up', true),
      'canvas.cable': here === null ? null : () => goToCable(keys, here),
      'canvas.open': here === null || selection.cable !== null ? null : () => keys.onOpen(here),
      'canvas.toggle': step?.body ? () => keys.onToggle(step.key) : null,
      'canvas.clear': nothing ? null : () => onSelect(NOTHING),
      'canvas.find': () => field.current?.focus(),
    },
    () => holdsFocus(box),
  );
  useHandlers({
    'canvas.fit': () => handle.current?.fit(),
    'canvas.in': () => handle.current?.zoom(1.25),
    'canvas.out': () => handle.current?.zoom(0.8),
  });
}

/** The step from which the selected cable was reached. */
const reachedFrom = new WeakMap<CanvasGraph, string>();

function goToCable({ graph, selection, onSelect, say }: CanvasKeys, here: string): void {
  const step = selection.cable === null ? here : (reachedFrom.get(graph) ?? here);
  const cable = nextCable(graph, step, selection.cable);
  if (cable === null) return say('This step has no cables');
  reachedFrom.set(graph, step);
  onSelect(onlyCable(cable.key));
  const title = (key: string) => {
    const found = graph.steps.find((step) => step.key === key);
    return found?.step?.title ?? found?.id ?? key;
  };
  const { from, to, back, dangling } = cable;
  const more = `${back ? ', leads back' : ''}${dangling ? ', one end is missing' : ''}`;
  say(`Cable from ${title(from.step)}, ${from.port}, to ${title(to.step)}, ${to.port}${more}`);
}

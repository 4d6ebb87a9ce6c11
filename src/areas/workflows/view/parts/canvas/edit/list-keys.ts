import { holdsFocus } from '@areas/runs/view/parts/cards/trail';
import { useHandlers } from '@renderer/client/hooks';
import { type RefObject, useCallback, useEffect, useState } from 'react';
import type { CanvasGraph } from '../graph/graph';
import { NOTHING, onlyStep } from '../selection';
import { type Bench, copySteps, duplicate, redo, remove, undo } from './acts';
import type { BenchOf } from './list-acts';
import { switchSteps } from './switching';
import { editableSteps } from './wiring';

type Box = RefObject<HTMLElement | null>;

const cardsOf = (box: Box): readonly HTMLElement[] => [
  ...(box.current?.querySelectorAll<HTMLElement>('[data-step]') ?? []),
];
const cardOf = (box: Box, key: string): HTMLElement | null =>
  cardsOf(box).find(({ dataset }) => dataset.step === key) ?? null;

/** The button of a step that gets the focus: its menu, or the one that opens its panel. */
const buttonOf = (card: Element | null): HTMLElement | null =>
  [...(card?.querySelectorAll<HTMLElement>(':scope > header button') ?? [])].at(-1) ?? null;

function focusOn(card: HTMLElement | null): boolean {
  const button = buttonOf(card);
  button?.focus();
  card?.scrollIntoView({ block: 'nearest' });
  return button !== null;
}

/** The step that has the focus. */
const stepInFocus = (): string | null =>
  document.activeElement?.closest('[data-step]')?.getAttribute('data-step') ?? null;

/**
 * Moves the focus to an added or renamed step once it is drawn, and back to the step that a dialog asked
 * about.
 */
export function useShown(box: Box): {
  readonly goTo: (key: string | null) => void;
  readonly goBack: (key: string | null) => void;
} {
  const [wanted, goTo] = useState<string | null>(null);
  useEffect(() => {
    if (wanted !== null && focusOn(cardOf(box, wanted))) goTo(null);
  });
  const goBack = useCallback(
    (key: string | null) => {
      const card = key === null ? null : cardOf(box, key);
      if (!focusOn(card)) box.current?.querySelector('button')?.focus();
    },
    [box],
  );
  return { goTo, goBack };
}

interface ListKeys {
  readonly box: Box;
  readonly able: boolean;
  readonly graph: CanvasGraph;
  readonly benchOf: BenchOf;
}

/** The keys of the canvas, for the step that has the focus. */
export function useListKeys({ box, able, graph, benchOf }: ListKeys): void {
  const inBox = () => holdsFocus(box);
  const beside = (by: 1 | -1) => () => {
    const cards = cardsOf(box);
    const at = cards.findIndex((card) => card.dataset.step === stepInFocus());
    focusOn(cards[at < 0 ? 0 : at + by] ?? null);
  };
  const along = (out: boolean) => () => {
    const here = stepInFocus();
    const cable = graph.cables.find(({ from, to, back }) => !back && (out ? from : to).step === here);
    if (cable !== undefined) focusOn(cardOf(box, (out ? cable.to : cable.from).step));
  };
  useHandlers(
    {
      'canvas.down': beside(1),
      'canvas.up': beside(-1),
      'canvas.right': along(true),
      'canvas.left': along(false),
    },
    inBox,
  );
  const withStep = (act: (bench: Bench, key: string) => void) => () => {
    const key = stepInFocus();
    if (key !== null && editableSteps(graph).has(key)) act(benchOf(onlyStep(key)), key);
  };
  const wholeBench = benchOf(NOTHING);
  const handlers = {
    'canvas.connect': withStep((bench, from) => bench.ask({ kind: 'connect', from })),
    'canvas.outputs': withStep((bench, step) => bench.ask({ kind: 'outputs', step })),
    'canvas.rename': withStep((bench, step) => bench.ask({ kind: 'rename', step })),
    'canvas.remove': withStep((bench) => void remove(bench)),
    'canvas.duplicate': withStep((bench) => void duplicate(bench)),
    'canvas.switch': withStep((bench) => void switchSteps(bench)),
    'canvas.copy': withStep((bench) => void copySteps(bench)),
    'canvas.undo': wholeBench.view.canUndo ? () => void undo(wholeBench) : null,
    'canvas.redo': wholeBench.view.canRedo ? () => void redo(wholeBench) : null,
  } as const;
  useHandlers(able ? handlers : {}, inBox);
  const add = () => {
    const key = stepInFocus();
    benchOf(key === null ? NOTHING : onlyStep(key)).ask({ kind: 'type' });
  };
  useHandlers(able ? { 'canvas.add': add } : {});
}

import { holdsFocus } from '@areas/runs/view/parts/cards/trail';
import { useHandlers } from '@renderer/client/hooks';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { CanvasEditing } from '../flow/canvas-view';
import type { Point } from '../layout/place';
import { allOf } from '../selection';
import type { CanvasKeys } from '../use-canvas-keys';
import {
  addStep,
  arrange,
  type Bench,
  type CanvasQuestion,
  connect,
  copySteps,
  duplicate,
  group,
  moveSteps,
  pasteText,
  reconnect,
  redo,
  remove,
  undo,
} from './acts';
import { filePoint } from './places';
import { switchSteps } from './switching';
import { editableSteps, rewiring, wiring } from './wiring';

type Parts = Omit<Bench, 'ask' | 'showLater'> & Pick<CanvasKeys, 'handle' | 'box'>;

interface Editing {
  readonly bench: Bench;
  readonly question: CanvasQuestion | null;
  readonly close: () => void;
  /** Null if the file cannot be written. */
  readonly editing: CanvasEditing | null;
}

/** Only after the file was read: edits apply to a state of it. */
const canWrite = ({ view }: Bench): boolean => view.writable && view.checked !== null;

/** Everything that changes the workflow on its canvas: by mouse through `editing`, and by keys. */
export function useEditing(parts: Parts): Editing {
  const [question, ask] = useState<CanvasQuestion | null>(null);
  const [wanted, showLater] = useState<string | null>(null);
  const { handle, box, placement } = parts;
  useEffect(() => {
    if (wanted === null || !placement.at.has(wanted)) return;
    const frame = requestAnimationFrame(() => {
      handle.current?.show(wanted);
      showLater(null);
    });
    return () => cancelAnimationFrame(frame);
  }, [wanted, placement, handle]);
  const bench: Bench = { ...parts, ask, showLater };
  const latest = useRef(bench);
  latest.current = bench;
  const close = useCallback(() => {
    ask(null);
    box.current?.focus();
  }, [box]);
  useEditingKeys(bench, { box, question, close });
  const editing = useCanvasEditing(latest, parts.graph);
  usePaste(() => (canWrite(latest.current) ? latest.current : null), box);
  return { bench, question, close, editing: canWrite(bench) ? editing : null };
}

/** Outside a text field, Chromium sends the paste to whatever holds the selection, often the body: listen everywhere. */
export function usePaste(bench: () => Bench | null, box: Parts['box']): void {
  const latest = useRef(bench);
  latest.current = bench;
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text/plain') ?? '';
      const target = latest.current();
      if (!holdsFocus(box) || inText() || text === '' || target === null) return;
      event.preventDefault();
      void pasteText(target, text);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, [box]);
}

const inText = (): boolean => document.activeElement?.matches('input, textarea, select') === true;

function useCanvasEditing(latest: { readonly current: Bench }, graph: Bench['graph']): CanvasEditing {
  return useMemo(
    () => ({
      whyNot: wiring(graph),
      whyNotAgain: (cable) => rewiring(graph, cable),
      onRefused: (why) => latest.current.say(why),
      onConnect: (from, to) => void connect(latest.current, from, to),
      onReconnect: (cable, from, to) => void reconnect(latest.current, cable, [from, to]),
      onMove: (moves) => moveSteps(latest.current, moves),
      onDrop: (type, at) => {
        const found = latest.current.types.find((one) => one.type === type);
        if (found !== undefined) void addStep(latest.current, found, at);
      },
    }),
    [graph, latest],
  );
}

type Keyed = Pick<Parts, 'box'> & Pick<Editing, 'question' | 'close'>;

/** Distance by which a key moves a step. */
const STEP = 20;

function useEditingKeys(bench: Bench, { box, question, close }: Keyed): void {
  const able = canWrite(bench) && (question === null || question.kind === 'type');
  const { graph, selection, here, view, ask } = bench;
  const toggleTypes = () => (question === null ? ask({ kind: 'type' }) : close());
  const steps = useMemo(() => editableSteps(graph), [graph]);
  const step = here !== null && selection.cable === null && steps.has(here) ? here : null;
  const cable = graph.cables.find(({ key }) => key === selection.cable) ?? null;
  const moveBy = useMoving(bench);
  const nudge = (x: number, y: number) => (step === null ? null : () => moveBy({ x, y }));
  const some = step !== null || cable !== null;
  const handlers = {
    'canvas.connect': step === null ? null : () => ask({ kind: 'connect', from: step }),
    'canvas.outputs': step === null ? null : () => ask({ kind: 'outputs', step }),
    'canvas.align': selection.steps.size < 2 ? null : () => ask({ kind: 'align' }),
    'canvas.group': selection.steps.size < 2 ? null : () => void group(bench),
    'canvas.reconnect': cable === null ? null : () => ask({ kind: 'reconnect', cable: cable.key }),
    'canvas.rename': step === null ? null : () => ask({ kind: 'rename', step }),
    'canvas.remove': some ? () => void remove(bench) : null,
    'canvas.duplicate': step === null ? null : () => void duplicate(bench),
    'canvas.switch': step === null ? null : () => void switchSteps(bench),
    'canvas.cut': step === null ? null : () => void cut(bench),
    'canvas.moveRight': nudge(STEP, 0),
    'canvas.moveLeft': nudge(-STEP, 0),
    'canvas.moveDown': nudge(0, STEP),
    'canvas.moveUp': nudge(0, -STEP),
    'canvas.undo': view.canUndo ? () => void undo(bench) : null,
    'canvas.redo': view.canRedo ? () => void redo(bench) : null,
  } as const;
  const inBox = () => holdsFocus(box);
  useHandlers(able ? handlers : {}, inBox);
  // These keys need no selection, so they work anywhere on the page.
  useHandlers(able ? { 'canvas.add': toggleTypes, 'canvas.arrange': () => void arrange(bench) } : {});
  useHandlers(
    {
      'canvas.all': () => bench.onSelect(allOf(steps.keys())),
      'canvas.copy': step === null ? null : () => void copySteps(bench),
    },
    inBox,
  );
}

async function cut(bench: Bench): Promise<void> {
  if (await copySteps(bench)) await remove(bench);
}

/**
 * Moves the selected steps. Keys can arrive faster than the file is written and laid out: each move starts
 * from the previous one, and a step without a position yet is moved once it has one.
 */
function useMoving(bench: Bench): (by: Point) => void {
  const pending = useRef(new Map<string, Point>());
  const writing = useRef(0);
  const early = useRef<Point | null>(null);
  const { placement } = bench;
  const moveBy = (by: Point) => {
    const keys = [...bench.selection.steps].filter((key) => editableSteps(bench.graph).has(key));
    if (keys.some((key) => !placement.at.has(key))) {
      early.current = { x: (early.current?.x ?? 0) + by.x, y: (early.current?.y ?? 0) + by.y };
      return;
    }
    const moves = new Map<string, Point>();
    for (const key of keys) {
      const from = pending.current.get(key) ?? filePoint(bench, key, placement.at.get(key) ?? { x: 0, y: 0 });
      moves.set(key, { x: from.x + by.x, y: from.y + by.y });
    }
    for (const [key, point] of moves) pending.current.set(key, point);
    writing.current += 1;
    void moveSteps(bench, moves).then(() => {
      writing.current -= 1;
      if (writing.current === 0) pending.current = new Map();
    });
  };
  const latest = useRef(moveBy);
  latest.current = moveBy;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the layout has new positions
  useEffect(() => {
    const by = early.current;
    early.current = null;
    if (by !== null) latest.current(by);
  }, [placement]);
  return moveBy;
}

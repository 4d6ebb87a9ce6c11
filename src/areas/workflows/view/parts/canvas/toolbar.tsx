import { ActIcon } from '@renderer/parts/controls/act';
import { TextInput } from '@renderer/ui/controls/field';
import { Maximize, Minus, Plus } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { useState } from 'react';
import type { CanvasHandle } from './flow/canvas-handle';
import type { CanvasGraph, CanvasStep } from './graph/graph';
import { onlyStep, type Selection } from './selection';
import styles from './toolbar.module.css';

interface ToolbarProps {
  readonly graph: CanvasGraph;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly onFound: (key: string) => void;
  readonly onLeave: () => void;
  readonly children: ReactNode;
}

/** The toolbar over the canvas: finding a step, zooming, and what the view adds. */
export function Toolbar({ graph, field, onFound, onLeave, children }: ToolbarProps) {
  return (
    <div className={styles.toolbar} role="toolbar" aria-label="Canvas">
      <Find graph={graph} field={field} onFound={onFound} onLeave={onLeave} />
      {children}
      <span className="grow" />
      <div className={styles.zoom}>
        <ActIcon action="canvas.out" icon={Minus} label="Zoom out" />
        <ActIcon action="canvas.in" icon={Plus} label="Zoom in" />
        <ActIcon action="canvas.fit" icon={Maximize} label="Show the whole workflow" />
      </div>
    </div>
  );
}

/** Selects a found step and scrolls to it. */
export const showFound =
  (select: (selection: Selection) => void, handle: RefObject<CanvasHandle | null>) => (key: string) => {
    select(onlyStep(key));
    handle.current?.show(key);
  };

/** Announces the last action on the canvas to screen readers. */
export const Announced = ({ said }: { readonly said: string }) => (
  <div className="hidden-text" role="status" aria-live="polite" data-part="canvas-said">
    {said}
  </div>
);

function Find({ graph, field, onFound, onLeave }: Omit<ToolbarProps, 'children'>) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const found = matching(graph.steps, text);
  const go = (index: number) => {
    const one = found[(index + found.length) % Math.max(1, found.length)];
    setAt(found.length === 0 ? 0 : (index + found.length) % found.length);
    if (one) onFound(one.key);
  };
  return (
    <div className={styles.find}>
      <TextInput
        ref={field}
        type="search"
        aria-label="Find a step"
        placeholder="Find a step"
        value={text}
        onChange={(event) => {
          const next = event.target.value;
          setText(next);
          setAt(0);
          const [first] = matching(graph.steps, next);
          if (first) onFound(first.key);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') go(at + (event.shiftKey ? -1 : 1));
          if (event.key === 'Escape') {
            event.stopPropagation();
            setText('');
            onLeave();
          }
        }}
      />
      {text !== '' && (
        <span className={styles.found} role="status">
          {found.length === 0 ? 'None' : `${at + 1}/${found.length}`}
        </span>
      )}
    </div>
  );
}

function matching(steps: readonly CanvasStep[], text: string): readonly CanvasStep[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  return steps.filter(({ id, step }) =>
    `${step?.title ?? ''} ${id} ${step?.type ?? ''}`.toLowerCase().includes(wanted),
  );
}

import type { WorkflowDetail } from '@contract/catalog/procedures';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useQuery } from '../client/hooks';
import { type CanvasHandle, CanvasView } from './flow/canvas-view';
import { canvasGraph } from './graph/graph';
import { STEP_HEIGHT } from './graph/ports';
import { stepTroubles } from './graph/troubles';
import { usePlacement } from './layout/use-placement';
import { NOTHING, onlyStep, type Selection, soleStep } from './selection';
import { Toolbar } from './toolbar';
import { useCanvasKeys } from './use-canvas-keys';

interface WorkflowCanvasProps {
  readonly value: WorkflowDetail;
  /** The step that the address names. */
  readonly step: string | null;
  readonly onStep: (key: string | null) => void;
}

const NONE: WorkflowDetail['ports'] = {};

/** A workflow as it stands in its file. */
export function WorkflowCanvas({ value, step, onStep }: WorkflowCanvasProps) {
  const { definition, ports = NONE, problems, name } = value;
  const types = useTypes();
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const graph = useMemo(
    () => canvasGraph({ steps: definition?.steps ?? [], cables: definition?.cables ?? [], ports, open }),
    [definition, ports, open],
  );
  const troubles = useMemo(
    () => stepTroubles({ steps: definition?.steps ?? [] }, problems),
    [definition, problems],
  );
  const placement = usePlacement(graph, STEP_HEIGHT);
  const [selection, select] = useSelection(step, onStep);
  const [said, say] = useState('');
  const handle = useRef<CanvasHandle>(null);
  const box = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const toggle = useToggle(setOpen);
  const acts = useMemo(() => ({ toggle, choose: () => {} }), [toggle]);
  const openStep = useCallback((key: string) => onStep(key), [onStep]);
  useCanvasKeys({
    ...{ graph, selection, handle, box, field, say },
    ...{ placement: placement ?? NOWHERE, onSelect: select, onOpen: openStep, onToggle: toggle },
  });
  if (placement === null) return null;
  return (
    <CanvasView
      label={`Canvas of ${name}`}
      {...{ graph, placement, selection, types, troubles, acts, handle, box }}
      faces={null}
      cableFaces={null}
      editing={null}
      active={soleStep(selection)}
      onSelect={select}
      onOpen={openStep}
    >
      <Toolbar
        graph={graph}
        field={field}
        onFound={(key) => {
          select(onlyStep(key));
          handle.current?.show(key);
        }}
        onLeave={() => box.current?.focus()}
      />
      <div className="hidden-text" role="status" aria-live="polite">
        {said}
      </div>
    </CanvasView>
  );
}

export const NOWHERE = { at: new Map(), sizes: new Map(), origins: new Map() };

/** The names of all step types. */
export function useTypes(): ReadonlyMap<string, string> {
  const { value } = useQuery('step.types', {});
  return useMemo(() => new Map(value?.map(({ type, title }) => [type, title])), [value]);
}

export function useToggle(setOpen: (change: (open: ReadonlySet<string>) => ReadonlySet<string>) => void) {
  return useCallback(
    (key: string) =>
      setOpen((open) => {
        const next = new Set(open);
        if (!next.delete(key)) next.add(key);
        return next;
      }),
    [setOpen],
  );
}

/** What is chosen; a step that is chosen alone stands in the address. */
export function useSelection(
  step: string | null,
  onStep: (key: string | null) => void,
): [Selection, (selection: Selection) => void] {
  const [selection, setSelection] = useState<Selection>(step === null ? NOTHING : onlyStep(step));
  const sole = soleStep(selection);
  useEffect(() => {
    if (step !== null) setSelection((now) => (soleStep(now) === step ? now : onlyStep(step)));
  }, [step]);
  const select = useCallback(
    (next: Selection) => {
      setSelection(next);
      const one = soleStep(next);
      if (one !== sole) onStep(one);
    },
    [sole, onStep],
  );
  return [selection, select];
}

import { useReadable } from '@renderer/client/hooks';
import { jumps, leadsTo } from '@renderer/client/keys/jump';
import { type RefObject, useEffect, useState } from 'react';
import type { Aim } from '../../../contract/place';
import type { CanvasHandle } from './flow/canvas-handle';
import { type CanvasGraph, joined } from './graph/graph';
import type { Placement } from './layout/place';
import { onlyCable, type Selection } from './selection';

interface JumpParts {
  readonly projectId: number;
  readonly file: string;
  readonly graph: CanvasGraph;
  /** Null until the steps have positions. */
  readonly placed: Placement | null;
  readonly open: ReadonlySet<string>;
  readonly setOpen: (open: ReadonlySet<string>) => void;
  readonly handle: RefObject<CanvasHandle | null>;
  readonly select: (selection: Selection) => void;
}

type Drawn = Exclude<Aim, { readonly kind: 'text' }>;

/** Shows the step or cable of a chosen problem, also inside a closed body. */
export function useJumpOnCanvas(parts: JumpParts): void {
  const { projectId, file, graph, placed, open, setOpen, handle, select } = parts;
  const jump = useReadable(jumps);
  // Kept here: the form of the step consumes a jump to its field before a closed body is open and laid out.
  const [aim, setAim] = useState<Drawn | null>(null);
  useEffect(() => {
    const place = { projectId, file };
    if (!leadsTo(jump, place, 'field') && !leadsTo(jump, place, 'cable')) return;
    if (jump.aim.kind === 'text') return;
    setAim(jump.aim);
    if (jump.aim.kind === 'cable') jumps.set(null);
  }, [jump, projectId, file]);
  useEffect(() => {
    if (aim === null) return;
    const around = aim.kind === 'cable' ? aim.body : aim.step.slice(0, -1);
    const owners = around.map((_, at) => around.slice(0, at + 1).join('/'));
    if (owners.some((key) => !open.has(key))) return setOpen(new Set([...open, ...owners]));
    const parent = around.length === 0 ? null : around.join('/');
    const step =
      aim.kind === 'cable' ? joined(parent, aim.from.slice(0, aim.from.indexOf('.'))) : aim.step.join('/');
    if (graph.steps.every(({ key }) => key !== step)) return setAim(null);
    if (placed?.at.has(step) !== true) return;
    const frame = requestAnimationFrame(() => {
      setAim(null);
      if (aim.kind === 'cable') {
        const cable = graph.cables.find(
          (one) => one.parent === parent && one.cable.from === aim.from && one.cable.to === aim.to,
        );
        if (cable !== undefined) select(onlyCable(cable.key));
      }
      handle.current?.show(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [aim, placed, graph, open, setOpen, handle, select]);
}

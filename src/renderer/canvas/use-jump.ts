import { type RefObject, useEffect } from 'react';
import { useReadable } from '../client/hooks';
import { jumps, leadsTo } from '../client/jump';
import type { CanvasHandle } from './flow/canvas-view';
import { type CanvasGraph, joined } from './graph/graph';
import { onlyCable, type Selection } from './selection';

interface JumpParts {
  readonly projectId: number;
  readonly file: string;
  readonly graph: CanvasGraph;
  /** The steps have their places. */
  readonly placed: boolean;
  readonly open: ReadonlySet<string>;
  readonly setOpen: (open: ReadonlySet<string>) => void;
  readonly handle: RefObject<CanvasHandle | null>;
  readonly select: (selection: Selection) => void;
}

/** Shows the step or cable of a problem that was chosen, also inside a body that is closed. */
export function useJumpOnCanvas(parts: JumpParts): void {
  const { projectId, file, graph, placed, open, setOpen, handle, select } = parts;
  const jump = useReadable(jumps);
  useEffect(() => {
    if (
      !placed ||
      (!leadsTo(jump, { projectId, file }, 'field') && !leadsTo(jump, { projectId, file }, 'cable'))
    )
      return;
    const { aim } = jump;
    if (aim.kind === 'text') return;
    const around = aim.kind === 'cable' ? aim.body : aim.step.slice(0, -1);
    const owners = around.map((_, at) => around.slice(0, at + 1).join('/'));
    if (owners.some((key) => !open.has(key))) return setOpen(new Set([...open, ...owners]));
    if (aim.kind === 'field') {
      handle.current?.show(aim.step.join('/'));
      return;
    }
    const parent = aim.body.length === 0 ? null : aim.body.join('/');
    const cable = graph.cables.find(
      (one) => one.parent === parent && one.cable.from === aim.from && one.cable.to === aim.to,
    );
    jumps.set(null);
    if (cable === undefined) return;
    select(onlyCable(cable.key));
    handle.current?.show(joined(parent, aim.from.slice(0, aim.from.indexOf('.'))));
  }, [jump, placed, projectId, file, graph, open, setOpen, handle, select]);
}

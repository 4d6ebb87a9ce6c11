import { createContext, useContext } from 'react';
import type { CanvasEnd } from '../graph/graph';

/** What nodes and cables need from the canvas. Stays the same object while the canvas is shown. */
export interface CanvasActs {
  readonly toggle: (key: string) => void;
  readonly choose: (key: string, scope: string) => void;
  /** Shows all outputs of a step. */
  readonly outputs: (key: string) => void;
}

/** A cable that is being drawn: its start, and why it cannot end at a port; null if it can. */
export interface Drawing {
  readonly from: CanvasEnd;
  readonly whyNot: (to: CanvasEnd) => string | null;
}

const nothing = () => {};

export const CanvasContext = createContext<CanvasActs>({
  toggle: nothing,
  choose: nothing,
  outputs: nothing,
});
export const DrawingContext = createContext<Drawing | null>(null);
/** Whether the graph can be changed. */
export const EditableContext = createContext(false);

export const useActs = (): CanvasActs => useContext(CanvasContext);

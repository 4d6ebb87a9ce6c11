import type { ProcedureName, ProcedureOutput } from '@contract/ipc';
import { useRef, useState } from 'react';
import { useQuery } from '../client/hooks';
import type { Reading } from '../client/wire/query';

/** Runs to look through at first; each further search takes as many more. */
const STEP = 40;
const MOST_SEARCHED = 1000;

/** The procedures that give what the last `limit` runs have. */
export type Listed = {
  [N in ProcedureName]: ProcedureOutput<N> extends { readonly rows: unknown; readonly more: boolean }
    ? N
    : never;
}[ProcedureName];

export interface Earlier<N extends Listed> extends Reading<ProcedureOutput<N>> {
  /** There are earlier runs to look through. */
  readonly more: boolean;
  /** Of how many runs it is. */
  readonly looked: number;
  readonly lookFurther: () => void;
}

/** What the last runs have, and on demand what those before them had. What is known stays while more is read. */
export function useEarlier<N extends Listed>(name: N): Earlier<N> {
  const [looked, look] = useState(STEP);
  const last = useRef<ProcedureOutput<N> | null>(null);
  const reading = useQuery<Listed>(name, { limit: looked }, ['runs']) as Reading<ProcedureOutput<N>>;
  if (reading.value !== null) last.current = reading.value;
  const value = last.current;
  const more = value?.more === true && looked < MOST_SEARCHED;
  return { ...reading, value, more, looked, lookFurther: () => look(Math.min(looked + STEP, MOST_SEARCHED)) };
}

import type { ProcedureName, ProcedureOutput } from '@contract/ipc';
import { useRef, useState } from 'react';
import { useQuery } from '../../client/hooks';
import type { Reading } from '../../client/wire/query';

/** Number of runs searched at first; each further search adds as many. */
const STEP = 40;
const MOST_SEARCHED = 1000;

/** The procedures that list things of the last `limit` runs. */
export type Listed = {
  [N in ProcedureName]: ProcedureOutput<N> extends { readonly rows: unknown; readonly more: boolean }
    ? N
    : never;
}[ProcedureName];

export interface Earlier<N extends Listed> extends Reading<ProcedureOutput<N>> {
  /** There are earlier runs to search. */
  readonly more: boolean;
  /** The number of runs searched. */
  readonly looked: number;
  readonly lookFurther: () => void;
}

/** Things of the last runs, and on demand of earlier ones. The known ones stay while more are read. */
export function useEarlier<N extends Listed>(name: N): Earlier<N> {
  const [looked, look] = useState(STEP);
  const last = useRef<ProcedureOutput<N> | null>(null);
  const reading = useQuery<Listed>(name, { limit: looked }, ['runs']) as Reading<ProcedureOutput<N>>;
  if (reading.value !== null) last.current = reading.value;
  const value = last.current;
  const more = value?.more === true && looked < MOST_SEARCHED;
  return { ...reading, value, more, looked, lookFurther: () => look(Math.min(looked + STEP, MOST_SEARCHED)) };
}

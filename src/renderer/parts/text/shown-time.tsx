import { createContext, useContext } from 'react';

/** The time of the shown moment, if a view shows the past of a run; null if it shows the current state. */
const Past = createContext<number | null>(null);

export const PastOf = Past.Provider;
export const usePast = (): number | null => useContext(Past);

import { createContext, useContext } from 'react';

/** The time of the moment that is shown, where a place shows the past of a run; null where it shows now. */
const Past = createContext<number | null>(null);

export const PastOf = Past.Provider;
export const usePast = (): number | null => useContext(Past);

import { createContext } from 'react';

/** What a step shows: all of it, or, seen from far away, its shape with its name or alone. */
export type Sight = 'near' | 'named' | 'shape';

export const SightContext = createContext<Sight>('near');

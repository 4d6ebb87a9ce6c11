import { useStore } from '@xyflow/react';
import { createContext } from 'react';

/**
 * What a step shows, by zoom. `full` and `large`: everything, in larger letters at a smaller zoom. `named`:
 * name, state and ports. `far`: name and state. `shape`: only its box.
 */
type Sight = 'full' | 'large' | 'named' | 'far' | 'shape';

/** At this zoom and above, no word on a step is smaller than 11 px. */
export const READABLE_ZOOM = 0.65;
const FULL_ZOOM = 0.85;
const LARGE_ZOOM = 0.62;
/** Below this zoom no port can be clicked: ports are not drawn, and cables only as shapes. */
const FAR_ZOOM = 0.4;
/** Of more steps than this, no name can be read where all are in sight. */
export const MOST_NAMED = 40;

function sightAt(zoom: number, steps: number): Sight {
  if (zoom >= FULL_ZOOM) return 'full';
  if (zoom >= LARGE_ZOOM) return 'large';
  if (zoom >= FAR_ZOOM) return 'named';
  return steps > MOST_NAMED ? 'shape' : 'far';
}

export const useSight = (steps: number): Sight => useStore(({ transform }) => sightAt(transform[2], steps));

export const isFar = (sight: Sight): boolean => sight === 'far' || sight === 'shape';

/** Never `large`, which differs from `full` only in its styles: steps are then drawn again less often. */
export const SightContext = createContext<Exclude<Sight, 'large'>>('full');

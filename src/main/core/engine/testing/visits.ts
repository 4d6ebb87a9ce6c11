import type { RunState } from '@contract/run/state';

/**
 * Counts how many entries of the maps of a state are looked at. Listing the keys of a map counts as looking
 * at every entry. The maps are replaced by ones that count, so later events are folded into these.
 */
export function countVisits(state: RunState): { take(): number } {
  let visits = 0;
  for (const [name, map] of Object.entries(state)) {
    if (typeof map !== 'object' || map === null || Array.isArray(map)) continue;
    const counting = new Proxy(map, {
      get(target, key) {
        visits += 1;
        return Reflect.get(target, key);
      },
      ownKeys(target) {
        const keys = Reflect.ownKeys(target);
        visits += keys.length;
        return keys;
      },
    });
    Object.assign(state, { [name]: counting });
  }
  return {
    take() {
      const taken = visits;
      visits = 0;
      return taken;
    },
  };
}

import { emptySlices, features } from '@features/contract';
import type { StoredEvent } from './events';
import type { PlatformState } from './platform-state';
import { reduce } from './reduce';
import type { RunState } from './state';

type FoldedEvent = Pick<StoredEvent, 'seq' | 'at' | 'event'>;

/** The maps that reducers modify in place (`reduce.ts`). `fold.test.ts` detects a missing one. */
const PLATFORM_MAPS = [
  'steps',
  'scopes',
  'activations',
  'sessions',
  'turns',
  'commands',
  'prompts',
  'workspaces',
  'captures',
  'hunks',
  'viewed',
  'lostHosts',
  'gates',
  'timers',
  'answers',
  'last',
] as const satisfies readonly (keyof PlatformState)[];

const SLICES = Object.keys(emptySlices()) as (keyof ReturnType<typeof emptySlices>)[];
const MAPS = [...PLATFORM_MAPS, ...SLICES];

type Copy = (map: object) => object;
const shallow: Copy = (map) => ({ ...map });
const copies = new Map<string, Copy>(features.map((feature) => [feature.slice, feature.copied as Copy]));

function parted(state: RunState): { values: object; maps: Map<string, object> } {
  const maps = new Map<string, object>(MAPS.map((name) => [name, state[name]]));
  const values = Object.entries(state).filter(([name]) => !maps.has(name));
  return { values: Object.fromEntries(values), maps };
}

/** What the reducer writes to: own scalar values, and maps that are copied on first write. */
class Draft {
  readonly #maps: Map<string, object>;
  readonly #copied = new Set<string>();

  constructor(base: RunState) {
    const { values, maps } = parted(base);
    this.#maps = maps;
    Object.assign(this, values);
  }

  /** A map that may be modified: no reader sees it before `publish`. */
  map(name: string): object {
    const map = this.#maps.get(name) ?? {};
    if (this.#copied.has(name)) return map;
    this.#copied.add(name);
    const own = (copies.get(name) ?? shallow)(map);
    this.#maps.set(name, own);
    return own;
  }

  /** The state as it is now. What is touched after this is copied again. */
  publish(): RunState {
    this.#copied.clear();
    return { ...this, ...Object.fromEntries(this.#maps) } as unknown as RunState;
  }
}

for (const name of MAPS)
  Object.defineProperty(Draft.prototype, name, {
    get(this: Draft) {
      return this.map(name);
    },
  });

/**
 * Folds events into immutable states. It runs the core's reducer, which modifies maps in place; here each map
 * is copied on its first write after a state was published. States share unchanged maps and entries, so
 * readers can compare them by identity.
 */
export class RunFold {
  #draft: Draft | null;
  #state: RunState | null;
  #isNew = false;

  constructor(from: RunState | null = null) {
    this.#state = from;
    this.#draft = from === null ? null : new Draft(from);
  }

  apply(stored: FoldedEvent): void {
    const draft = this.#draft as unknown as RunState | null;
    const folded = reduce(draft, stored);
    if (folded !== draft) this.#draft = new Draft(folded);
    this.#isNew = true;
  }

  /** The last folded event; 0 before the first. */
  get seq(): number {
    return (this.#draft as unknown as RunState | null)?.seq ?? 0;
  }

  /** The state after the last event: the same object until the next event. */
  get state(): RunState | null {
    if (this.#isNew) this.#state = this.#draft?.publish() ?? null;
    this.#isNew = false;
    return this.#state;
  }
}

/** Folds events onto a state without modifying it. */
export function foldOnto(from: RunState | null, events: Iterable<FoldedEvent>): RunState | null {
  const fold = new RunFold(from);
  for (const event of events) fold.apply(event);
  return fold.state;
}

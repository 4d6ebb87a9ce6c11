/** The selection on the canvas: steps by their keys, or one cable. */
export interface Selection {
  readonly steps: ReadonlySet<string>;
  readonly cable: string | null;
}

export const NOTHING: Selection = { steps: new Set(), cable: null };

export const onlyStep = (key: string): Selection => ({ steps: new Set([key]), cable: null });
export const onlyCable = (key: string): Selection => ({ steps: new Set(), cable: key });
export const allOf = (keys: Iterable<string>): Selection => ({ steps: new Set(keys), cable: null });

/** A selection as saved for a reload: a cable, or several steps. A single step is in the address. */
export const keptSelection = ({ steps, cable }: Selection): unknown =>
  cable === null && steps.size < 2 ? null : { steps: [...steps], cable };

export function readSelection(kept: unknown): Selection {
  const { steps, cable } = (kept ?? {}) as { steps?: unknown; cable?: unknown };
  return {
    steps: new Set(Array.isArray(steps) ? steps.filter((one) => typeof one === 'string') : []),
    cable: typeof cable === 'string' ? cable : null,
  };
}

/** The only selected step; null if there is none or more than one. */
export function soleStep({ steps }: Selection): string | null {
  const [first = null] = steps;
  return steps.size === 1 ? first : null;
}

const panes = ['transcript', 'changes', 'terminals'] as const;
export type PaneId = (typeof panes)[number];

export const isPane = (value: unknown): value is PaneId => panes.some((pane) => pane === value);

/** Below this width two panes side by side would both be too narrow to read. */
export const SPLIT_PX = 760;

interface Choice {
  readonly pane: PaneId;
  /** The transcript is beside another pane. */
  readonly split: boolean;
  readonly width: number;
}

/** The panes to draw, from left to right. */
export function shownPanes({ pane, split, width }: Choice): readonly PaneId[] {
  if (pane === 'transcript' || !split || width < SPLIT_PX) return [pane];
  return ['transcript', pane];
}

interface Named {
  readonly name: string;
  readonly state: string;
}

/**
 * The terminal to show: the chosen one; otherwise the current one while it runs, because someone may be
 * typing into it; otherwise a running one.
 */
export function terminalToShow<T extends Named>(
  terminals: readonly T[],
  { chosen, shown }: { readonly chosen: string | null; readonly shown: string | null },
): T | undefined {
  const runs = (one: T) => one.state === 'running';
  return (
    terminals.find((one) => one.name === chosen) ??
    terminals.find((one) => one.name === shown && runs(one)) ??
    terminals.find(runs) ??
    terminals[0]
  );
}

export const panes = ['transcript', 'changes', 'terminals'] as const;
export type PaneId = (typeof panes)[number];

export const isPane = (value: unknown): value is PaneId => panes.some((pane) => pane === value);

/** Below this two panes beside each other would both be too narrow to be read. */
export const SPLIT_PX = 760;

interface Choice {
  readonly pane: PaneId;
  /** The transcript stands beside the others. */
  readonly split: boolean;
  readonly width: number;
}

/** What is drawn, from left to right. */
export function shownPanes({ pane, split, width }: Choice): readonly PaneId[] {
  if (pane === 'transcript' || !split || width < SPLIT_PX) return [pane];
  return ['transcript', pane];
}

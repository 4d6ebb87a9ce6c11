import type { ReactNode } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import separators from './separator.module.css';
import styles from './split.module.css';

interface SplitProps {
  readonly id: string;
  readonly label: string;
  readonly first: ReactNode;
  readonly second: ReactNode;
  /** The share of the first pane, in percent. */
  readonly share: number;
  readonly onResize: (share: number) => void;
}

/** Two panes side by side, with a movable divider. */
export function Split({ id, label, first, second, share, onResize }: SplitProps) {
  return (
    <Group
      id={id}
      orientation="horizontal"
      defaultLayout={{ first: share, second: 100 - share }}
      onLayoutChanged={(layout, meta) => {
        if (meta.isUserInteraction && layout.first !== undefined) onResize(Math.round(layout.first));
      }}
    >
      <Panel id="first" className={styles.splitPane} minSize="25%">
        {first}
      </Panel>
      <Separator className={separators.separator} aria-label={label} />
      <Panel id="second" className={styles.splitPane} minSize="25%">
        {second}
      </Panel>
    </Group>
  );
}

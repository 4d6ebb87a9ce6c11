import type { BesidesDecisions } from '@contract/attention/procedures';
import type { GateRow } from '@contract/gate/procedures';
import { useState } from 'react';
import { gateItem, itemsBesides } from '../parts/attention/items';
import { RowList } from '../parts/lists/row-list';
import { ItemRow } from '../views/inbox/item-row';
import { attentionRows } from '../views/inbox/rows';
import styles from './page.module.css';

interface AttentionRowsProps extends BesidesDecisions {
  readonly gates: readonly GateRow[];
  readonly now: number;
}

/** The attention list, with rows from a test. */
export function AttentionRows({ gates, now, ...besides }: AttentionRowsProps) {
  const [selected, select] = useState<string | null>(null);
  return (
    <section className={`pane ${styles.list}`} aria-label="Gates">
      <RowList
        label="Waiting gates"
        rows={attentionRows([...gates.map(gateItem), ...itemsBesides(besides)], now)}
        selected={selected}
        draw={(row) => <ItemRow row={row} inRun={false} />}
        onSelect={({ key }) => select(key)}
      />
    </section>
  );
}

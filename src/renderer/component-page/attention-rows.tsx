import type { BesidesDecisions } from '@areas/attention/contract/procedures';
import { ItemRow } from '@areas/attention/view/item-row';
import { gateItem, itemsBesides } from '@areas/attention/view/parts/items';
import { attentionRows } from '@areas/attention/view/rows';
import type { GateRow } from '@areas/gates/contract/procedures';
import { useState } from 'react';
import { RowList } from '../parts/lists/row-list';
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

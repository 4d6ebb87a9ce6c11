import type { GateRow } from '@areas/gates/contract/procedures';
import { replyDetail as ReplyDetail } from '@features/view';
import { Suspense } from 'react';
import { FailureDetail } from './failure-detail';
import { GateDetail } from './gate-detail';
import type { Item } from './parts/items';
import { PullDetail } from './pull-detail';
import { WaitDetail } from './wait-detail';

interface ItemDetailProps {
  readonly item: Item;
  /** The gate that was decided last. */
  readonly last: GateRow | null;
}

export function ItemDetail({ item, last }: ItemDetailProps) {
  if (item.kind === 'gate') return <GateDetail gate={item.gate} last={last} />;
  if (item.kind === 'failed') return <FailureDetail itemKey={item.key} failure={item.failure} />;
  if (item.kind === 'pull') return <PullDetail itemKey={item.key} pull={item.pull} />;
  if (item.kind === 'wait') return <WaitDetail wait={item.wait} />;
  return (
    <Suspense>
      <ReplyDetail itemKey={item.key} reply={item.reply} />
    </Suspense>
  );
}

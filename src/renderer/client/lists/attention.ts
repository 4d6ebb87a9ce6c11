import type { BesidesDecisions } from '@areas/attention/contract/procedures';
import { call } from '../rpc';
import { Cell } from '../store';
import type { Reading } from '../wire/query';
import { bus } from '../wire/window';

const loading: Reading<BesidesDecisions> = { status: 'loading', value: null, error: null };

/** The attention items other than gates. Read once, then updated by pushes. */
export const besides: Cell<Reading<BesidesDecisions>> = new Cell<Reading<BesidesDecisions>>(loading, () => {
  let pushes = 0;
  const read = async () => {
    const before = pushes;
    const result = await call('attention.list', { decisions: false });
    // A push that arrived meanwhile is newer.
    if (pushes !== before) return;
    if (result.ok) besides.set({ status: 'ready', value: result.value, error: null });
    else besides.update((last) => ({ ...last, status: 'failed', error: result.error }));
  };
  const ends = [
    bus.on('attention', null, (push) => {
      pushes += 1;
      besides.set({ status: 'ready', value: push.besides, error: null });
    }),
    bus.onLost(() => void read()),
  ];
  queueMicrotask(() => void read());
  return () => {
    for (const end of ends) end();
  };
});

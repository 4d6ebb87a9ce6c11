import type { GateRow } from '@contract/gate/procedures';
import { describe, expect, it } from 'vitest';
import { afterwards, waitingRows } from './rows';

const gate = (gateId: number, snoozedUntil: number | null = null) =>
  ({ runId: 1, gateId, snoozedUntil }) as GateRow;

describe('the inbox', () => {
  it('keeps what is snoozed apart, the first to come back on top', () => {
    const rows = waitingRows([gate(1, 500), gate(2), gate(3, 200), gate(4, 50)], 100);
    expect(rows.map((row) => row.key)).toEqual(['1/2', '1/4', 'snoozed', '1/3', '1/1']);
  });

  it('goes on to the gate after the one that was answered', () => {
    expect(afterwards(['a', 'b', 'c'], 'b', ['a', 'c'])).toBe('c');
    expect(afterwards(['a', 'b', 'c'], 'c', ['a', 'b'])).toBe('b');
    expect(afterwards(['a', 'b', 'c'], 'b', ['a', 'd'])).toBe('a');
    expect(afterwards(['a'], 'a', [])).toBeNull();
    expect(afterwards(['a'], 'a', ['x'])).toBe('x');
  });
});

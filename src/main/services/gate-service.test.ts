import type { GateRow } from '@contract/gate/procedures';
import { expect, it } from 'vitest';
import type { Engine } from '../core/engine/engine';
import type { Store } from '../core/ports/store';
import { GateService } from './gate-service';
import type { PermissionRules } from './permission-rules';

it('a gate that is put off is told to those who show it', () => {
  let until: number | null = null;
  const told: [string, number | null][] = [];
  const gates = new GateService({
    engine: {} as Engine,
    rules: {} as PermissionRules,
    store: {
      snooze: (_run: number, _gate: number, at: number | null) => {
        until = at;
      },
      gate: () => ({ snoozedUntil: until }) as GateRow,
    } as unknown as Store,
    changed: (runId, gateId) => told.push([`${runId}/${gateId}`, until]),
  });
  expect(gates.snooze(1, 2, 9_000)).toMatchObject({ ok: true, value: { snoozedUntil: 9_000 } });
  gates.snooze(1, 2, null);
  expect(told).toEqual([
    ['1/2', 9_000],
    ['1/2', null],
  ]);
});

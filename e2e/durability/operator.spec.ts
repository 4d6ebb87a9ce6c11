import { tmpdir } from 'node:os';
import { expect, test } from '@playwright/test';
import type { CoreProcess } from './core-process';
import { Operator } from './operator';
import { Random } from './random';
import { Witness } from './witness';

test('a run whose end is heard together with the list that still has it is not waited for', async () => {
  const operator = new Operator({
    witness: new Witness(tmpdir()),
    random: new Random(1),
    project: '/project',
    runs: 1,
    files: [],
  });
  operator.ended(3);
  const rows = [1, 2, 3].map((id) => ({ id, finishedAt: null }));
  const core = { call: async () => ({ rows }) } as unknown as CoreProcess;
  const caughtUp = operator.catchUp(core);
  operator.ended(1);
  await caughtUp;
  // 2 goes on, and 3 was opened again without a word of it.
  expect(operator.runsLive).toBe(2);
});

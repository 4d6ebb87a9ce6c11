import { tmpdir } from 'node:os';
import { double } from '@contract/testing/double';
import { expect, test } from '@playwright/test';
import type { CoreProcess } from './core-process';
import { Operator } from './operator';
import { Random } from './random';
import { Witness } from './witness';

const operatorOf = (): Operator =>
  new Operator({
    witness: new Witness(tmpdir()),
    random: new Random(1),
    project: '/project',
    runs: 1,
    files: [],
  });
const coreThatLists = (rows: readonly object[]) => double<CoreProcess>({ call: async () => ({ rows }) });

test('a run that ended as its core was killed is not waited for in the next life', async () => {
  const operator = operatorOf();
  operator.began(1);
  operator.began(2);
  const rows = [
    { id: 1, finishedAt: 5, outcome: 'succeeded' },
    { id: 2, finishedAt: 5, outcome: 'succeeded' },
  ];
  const caughtUp = operator.catchUp(coreThatLists(rows));
  // 2 is opened again in the moment of the list.
  operator.began(2);
  await caughtUp;
  expect(operator.runsLive).toBe(1);
});

test('a run whose end is heard together with the list that still has it is not waited for', async () => {
  const operator = operatorOf();
  operator.ended(3);
  const rows = [1, 2, 3].map((id) => ({ id, finishedAt: null }));
  const caughtUp = operator.catchUp(coreThatLists(rows));
  operator.ended(1);
  await caughtUp;
  // 2 continues, and 3 was opened again without a word of it.
  expect(operator.runsLive).toBe(2);
});

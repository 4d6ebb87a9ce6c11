import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { storedEventSchema } from '@contract/run/events';
import { reduce } from '@contract/run/reduce';
import type { RunState } from '@contract/run/state';
import { expect, test } from 'vitest';
import { summarise } from './summary';

const history = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  'core',
  'engine',
  '__histories__',
  'team-of-three.jsonl',
);

test('a team at rest says who waits for the operator, and not that it works', () => {
  const events = readFileSync(history, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => storedEventSchema.parse(JSON.parse(line)));
  let state: RunState | null = null;
  const said: string[] = [];
  for (const stored of events) {
    state = reduce(state, stored);
    const now = summarise(state).now ?? 'nothing';
    if (now !== said.at(-1)) said.push(now);
  }
  const round = said.indexOf('crew: S1: round 2');
  expect(said.slice(round, round + 3)).toEqual([
    'crew: S1: round 2',
    'crew: 2 members wait for you',
    'crew: S1: round 3',
  ]);
  expect(said).toContain('crew: 1 member waits for you');
  expect(said).toContain('crew: No one is working');
});

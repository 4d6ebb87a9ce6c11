import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunEvent, storedEventSchema } from '@contract/run/events';
import { reduce } from '@contract/run/reduce';
import { runStatus } from '@contract/run/status';
import { expect, test } from 'vitest';
import { countVisits } from '../../../core/engine/testing/visits';
import { activation, activationEnd, gate, session, started, turn, turnEnd } from '../testing/story';
import { Tallies } from './step-counts';
import { summarise } from './summary';

const recorded = join(import.meta.dirname, '../../../core/engine/__histories__');

test.each(readdirSync(recorded).filter((name) => name.endsWith('.jsonl')))(
  'the status found from what is open equals the one found from everything, at each event of %s',
  (name) => {
    for (const every of [1, 3]) {
      const [first, ...rest] = readFileSync(join(recorded, name), 'utf8')
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => storedEventSchema.parse(JSON.parse(line)));
      if (first === undefined) throw new Error('an empty history');
      const state = reduce(null, first);
      const tallies = new Tallies();
      for (const stored of rest) {
        reduce(state, stored);
        tallies.follow(state, stored.event);
        // Not at every event: an entry can be opened and ended between two readings.
        if (stored.seq % every !== 0) continue;
        const { status, openGates } = summarise(state, tallies.of(state));
        expect(status, `seq ${stored.seq}`).toBe(runStatus(state));
        const open = Object.values(state.gates).filter((one) => one.status === 'open');
        expect(openGates, `seq ${stored.seq}`).toBe(open.length);
      }
    }
  },
);

test('the row of a run is found from as much of it after 150 turns as after 20', () => {
  const begin = started({ uid: 'run', projectId: 1, steps: ['write'] });
  const state = reduce(null, { seq: 1, at: 1, event: begin });
  const tallies = new Tallies();
  tallies.of(state);
  const visits = countVisits(state);
  const each: number[] = [];
  let seq = 1;
  for (let id = 1; id <= 150; id += 1) {
    const events: RunEvent[] = [
      activation(id, 'write'),
      session(id, id),
      turn({ turnId: id, activationId: id, sessionId: id, prompt: 'p' }),
      gate(id, id),
      { type: 'gate.resolved', gateId: id, answer: { option: 'approve' }, by: 'operator' },
      turnEnd(id, 'done'),
      activationEnd(id),
      { type: 'session.closed', sessionId: id },
    ];
    let looked = 0;
    for (const event of events) {
      seq += 1;
      reduce(state, { seq, at: seq, event });
      tallies.follow(state, event);
      visits.take();
      summarise(state, tallies.of(state));
      looked += visits.take();
    }
    each.push(looked);
  }
  expect(each[19]).toBeGreaterThan(10);
  expect(each[149]).toBeLessThanOrEqual((each[19] ?? 0) * 1.05);
});

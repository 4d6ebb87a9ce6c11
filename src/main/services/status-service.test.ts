import { expect, test } from 'vitest';
import { StatusService } from './status-service';

function service(): StatusService {
  // Only what is asked of them here.
  const store = {
    notices: [{ id: 'opened', level: 'info', text: 'opened' }],
    health: () => ({ state: 'ok', since: 0, detail: null }),
    spendSince: () => ({ tokens: 0, costUsd: 0, untoldTurns: 0 }),
    databaseBytes: () => 0,
    path: '/db',
  };
  const engine = { all: () => [] };
  const clock = { now: () => 1, at: () => () => undefined };
  return new StatusService({ store, engine, clock, pid: 1 } as unknown as ConstructorParameters<
    typeof StatusService
  >[0]);
}

test('what is told again takes the place of what was told, and comes back where that was dismissed', () => {
  const status = service();
  const texts = () => status.status().notices.map(({ text }) => text);
  const say = (text: string): void => status.notice({ id: 'given-up', level: 'warning', text });
  say('one');
  say('two');
  expect(texts()).toEqual(['opened', 'two']);
  status.dismiss('given-up');
  expect(texts()).toEqual(['opened']);
  say('three');
  expect(texts()).toEqual(['opened', 'three']);
});

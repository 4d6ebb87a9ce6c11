import { expect, test } from 'vitest';
import { parseRoute } from '../route';
import { actsOnThePast, momentOf } from './moment';

const at = (hash: string) => parseRoute(hash);

test('the address names the moment, and nothing else does', () => {
  expect(momentOf(at('#/run/U?at=12'), null)).toBe(12);
  expect(momentOf(at('#/run/U/turn/3?at=12&q=x'), null)).toBe(12);
  for (const hash of [
    '#/run/U',
    '#/run/U?at=',
    '#/run/U?at=0',
    '#/run/U?at=-1',
    '#/run/U?at=1e3',
    '#/run/U?at=x',
  ])
    expect(momentOf(at(hash), null)).toBeNull();
});

test('a scrubber that moves counts until the address changes or another run is shown', () => {
  const held = { path: 'run/U', written: '12', seq: 40 };
  expect(momentOf(at('#/run/U?at=12'), held)).toBe(40);
  expect(momentOf(at('#/run/U/turn/3?at=12'), held)).toBe(40);
  expect(momentOf(at('#/run/U?at=7'), held)).toBe(7);
  expect(momentOf(at('#/run/V?at=12'), held)).toBe(12);
  expect(momentOf(at('#/run/U'), held)).toBeNull();
});

test('the past shows only what a run has, and requests only that', () => {
  expect(actsOnThePast('run.cancel', { runId: 1 }, 12)).toBe(true);
  expect(actsOnThePast('run.resume', { runId: 1 }, 12)).toBe(true);
  expect(actsOnThePast('gate.resolve', { gateId: 4 }, 12)).toBe(true);
  expect(actsOnThePast('session.prompt', { runId: 1 }, 12)).toBe(true);
  expect(actsOnThePast('workspace.restore', { runId: 1 }, 12)).toBe(true);
  expect(actsOnThePast('run.events', { runId: 1 }, 12)).toBe(false);
  expect(actsOnThePast('run.transcript', { runId: 1 }, 12)).toBe(false);
  expect(actsOnThePast('settings.get', {}, 12)).toBe(false);
  expect(actsOnThePast('run.cancel', { runId: 1 }, null)).toBe(false);
});

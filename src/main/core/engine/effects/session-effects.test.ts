import { ok } from '@contract/result';
import { expect, test } from 'vitest';
import { gate, Harness, task } from '../testing/harness';

test('a session that is taken up again waits until the process that it had is gone', async () => {
  const harness = new Harness();
  let gone: () => void = () => undefined;
  harness.agents.lingers = new Promise((resolve) => {
    gone = resolve;
  });
  await harness.run({
    steps: [task('a', { session_persist: true }), gate('g')],
    cables: [{ from: 'a.data_out', to: 'g.data_in' }],
  });
  await harness.engine.command(1, () =>
    ok([
      { type: 'session.parked', sessionId: 1, reason: 'test' },
      { type: 'prompt.queued', promptId: 1, sessionId: 1, text: 'And?', attachments: [], by: 'test' },
    ]),
  );
  await harness.idle();
  expect(harness.agents.ended).toHaveLength(1);
  expect(harness.agents.opened).toHaveLength(1);
  expect(harness.state().sessions[1]?.status).toBe('resuming');
  gone();
  await harness.idle();
  expect(harness.agents.opened).toHaveLength(2);
  expect(harness.agents.sent.at(-1)?.request.prompt).toBe('And?');
});

test('a session whose start is given up meanwhile does not wait for the old process', async () => {
  const harness = new Harness();
  harness.agents.lingers = new Promise(() => undefined);
  await harness.run({
    steps: [task('a', { session_persist: true }), gate('g')],
    cables: [{ from: 'a.data_out', to: 'g.data_in' }],
  });
  harness.agents.hangs = true;
  await harness.engine.command(1, () =>
    ok([
      { type: 'session.parked', sessionId: 1, reason: 'test' },
      { type: 'prompt.queued', promptId: 1, sessionId: 1, text: 'And?', attachments: [], by: 'test' },
    ]),
  );
  await harness.cancel();
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'cancelled' });
});
